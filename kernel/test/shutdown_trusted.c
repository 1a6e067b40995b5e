/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "case.h"
#include "check.h"
#include "os_cores.h"
#include "shutdown.h"

static bool is_ending, has_ended_a_task;

int main(void)
{
	StartOS(REPAIR);
}

static void refuse(StatusType status)
{
	if (status != E_OS_CALLEVEL)
		plf_port_end(2);
}

static void refuse_tasks(void)
{
	TaskStateType state;
	TaskType task;

	refuse(ActivateTask(MAIN));
	refuse(TerminateTask());
	refuse(ChainTask(MAIN));
	refuse(Schedule());
	refuse(GetTaskID(&task));
	refuse(GetTaskState(MAIN, &state));
	refuse(GetResource(RES_SCHEDULER));
	refuse(ReleaseResource(RES_SCHEDULER));
}

static void refuse_events_and_alarms(void)
{
	EventMaskType events;
	AlarmBaseType base;
	TickType ticks;

	refuse(SetEvent(MAIN, 1));
	refuse(ClearEvent(1));
	refuse(GetEvent(MAIN, &events));
	refuse(WaitEvent(1));
	refuse(GetAlarmBase(0, &base));
	refuse(GetAlarm(0, &ticks));
	refuse(SetRelAlarm(0, 1, 0));
	refuse(SetAbsAlarm(0, 1, 0));
	refuse(CancelAlarm(0));
	refuse(IncrementCounter(0));
}

/*
 * ShutdownHook is the last hook, without a PostTaskHook before. It can neither end the system
 * again, nor continue.
 */
void ShutdownHook(StatusType status)
{
	is_ending = true;
	ShutdownOS(1);
	refuse_tasks();
	refuse_events_and_alarms();
	if (GetActiveApplicationMode() != REPAIR || has_ended_a_task)
		plf_port_end(7);
	if (status != (TEST_CASE == IN_TASK ? 0 : 20 + TEST_CASE))
		plf_port_end(3);
}

void StartupHook(void)
{
	if (TEST_CASE == IN_STARTUP)
		ShutdownOS(21);
}

/* PreTaskHook must not call ShutdownOS (OSEK 2.2.3, 12.3). */
void PreTaskHook(void)
{
	ShutdownOS(4);
}

void PostTaskHook(void)
{
	has_ended_a_task = true;
	ShutdownOS(5);
}

void ErrorHook(StatusType status)
{
	if (is_ending)
		ShutdownOS(6);
	if (GetActiveApplicationMode() != REPAIR)
		plf_port_end(8);
	if (status == E_OS_CALLEVEL)
		return;
	if (TEST_CASE == IN_ERROR)
		ShutdownOS(22);
	plf_port_raise(5);
}

ISR(COMES)
{
	ShutdownOS(23);
}
