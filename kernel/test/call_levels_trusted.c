/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "call_levels.h"
#include "check.h"

/* Call the services in an order in which each allowed service returns E_OK. */
static void call_all(StatusType *answer)
{
	static TaskStateType state;
	static EventMaskType events;
	static AlarmBaseType base;
	static TickType ticks, passed;
	static TaskType task;

	answer[ACTIVATE_TASK] = ActivateTask(OTHER);
	answer[TERMINATE_TASK] = TerminateTask();
	answer[CHAIN_TASK] = ChainTask(OTHER);
	answer[SCHEDULE] = Schedule();
	answer[GET_TASK_ID] = GetTaskID(&task);
	answer[GET_TASK_STATE] = GetTaskState(MAIN, &state);
	answer[GET_RESOURCE] = GetResource(R);
	answer[RELEASE_RESOURCE] = ReleaseResource(R);
	answer[SET_EVENT] = SetEvent(MAIN, EV);
	answer[CLEAR_EVENT] = ClearEvent(EV);
	answer[GET_EVENT] = GetEvent(MAIN, &events);
	answer[WAIT_EVENT] = WaitEvent(EV);
	answer[GET_ALARM_BASE] = GetAlarmBase(ALARM, &base);
	answer[GET_ALARM] = GetAlarm(OTHERS, &ticks);
	answer[SET_REL_ALARM] = SetRelAlarm(ALARM, 10, 0);
	(void)CancelAlarm(ALARM);
	answer[SET_ABS_ALARM] = SetAbsAlarm(ALARM, 10, 0);
	answer[CANCEL_ALARM] = CancelAlarm(ALARM);
	answer[INCREMENT_COUNTER] = IncrementCounter(SOFT);
	answer[GET_COUNTER_VALUE] = GetCounterValue(SOFT, &ticks);
	answer[GET_ELAPSED_VALUE] = GetElapsedValue(SOFT, &ticks, &passed);
}

static uint32_t level_errors;

/*
 * In hooks the services of interrupts do nothing, so interrupts are held back afterwards, as
 * before.
 */
static void call_void(void)
{
	DisableAllInterrupts();
	EnableAllInterrupts();
	SuspendAllInterrupts();
	ResumeAllInterrupts();
	SuspendOSInterrupts();
	ResumeOSInterrupts();
	(void)GetActiveApplicationMode();
}

static void call_all_in(enum place place)
{
	uint32_t before;

	if (was_in[place])
		return;
	was_in[place] = true;
	call_all(answers[place]);
	before = level_errors;
	call_void();
	void_errors[place] = level_errors - before;
}

void StartupHook(void)
{
	call_all_in(STARTUP);
}

void PreTaskHook(void)
{
	call_all_in(PRE_TASK);
}

void PostTaskHook(void)
{
	call_all_in(POST_TASK);
}

/* ErrorHook is also called for each refused call of a handler or hook. */
void ErrorHook(StatusType status)
{
	EventMaskType events;
	TaskStateType state;
	TaskType task;

	if (status == E_OS_CALLEVEL)
		level_errors++;
	EXPECT(GetTaskState(OTHER, &state), E_OK); /* also before the first task runs */
	(void)GetEvent(MAIN, &events);
	if (status != E_OS_ID)
		return;
	call_all_in(IN_ERROR_HOOK);
	EXPECT(GetTaskID(&task), E_OK);
	plf_port_raise(5);
	plf_port_raise(6);
}

ISR(BESIDE)
{
	call_all_in(IN_CATEGORY_1);
}

ISR(COMES)
{
	call_all_in(IN_HANDLER);
}
