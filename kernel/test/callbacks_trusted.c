/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "callbacks.h"
#include "check.h"

ALARMCALLBACK(mark_it)
{
	mark('m');
}

/* Interrupts of category 2 wait for the end of the callback. */
ALARMCALLBACK(raise_it)
{
	mark('(');
	plf_port_raise(5);
	mark(')');
}

ISR(COMES)
{
	mark('i');
}

ALARMCALLBACK(count_it)
{
	timed++;
}

static void answer(StatusType status)
{
	answers[answered++] = status;
}

static void call_of_tasks_and_resources(void)
{
	TaskStateType state;
	TaskType task;

	answer(ActivateTask(URGENT));
	answer(TerminateTask());
	answer(ChainTask(URGENT));
	answer(Schedule());
	answer(GetTaskID(&task));
	answer(GetTaskState(MAIN, &state));
	answer(GetResource(R));
	answer(ReleaseResource(R));
}

static void call_of_events_and_alarms(void)
{
	EventMaskType events;
	AlarmBaseType base;
	TickType ticks;

	answer(SetEvent(WAITER, EV));
	answer(ClearEvent(EV));
	answer(GetEvent(WAITER, &events));
	answer(WaitEvent(EV));
	answer(GetAlarmBase(MARKS, &base));
	answer(GetAlarm(MARKS, &ticks));
	answer(SetRelAlarm(MARKS, 1, 0));
	answer(SetAbsAlarm(MARKS, 1, 0));
	answer(CancelAlarm(MARKS));
	answer(IncrementCounter(SOFT));
}

static void call_without_status(void)
{
	uint32_t before = test.errors;

	(void)GetActiveApplicationMode();
	DisableAllInterrupts();
	EnableAllInterrupts();
	SuspendOSInterrupts();
	ResumeOSInterrupts();
	ShutdownOS(17);
	void_errors = test.errors - before;
}

ALARMCALLBACK(call_all)
{
	SuspendAllInterrupts();
	ResumeAllInterrupts();
	EXPECT(test.errors, 0);
	call_of_tasks_and_resources();
	call_of_events_and_alarms();
	call_without_status();
}
