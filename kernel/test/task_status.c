/* SPDX-License-Identifier: MIT */
/* The answers of the services of tasks: OSEK 2.2.3, 13.2.3. */
#include "check.h"

static TaskStateType state_of(TaskType task)
{
	TaskStateType state = 0xff;

	ALLOWED(GetTaskState(task, &state));
	return state;
}

TASK(WAITER)
{
	ALLOWED(WaitEvent(EV));
	TerminateTask();
}

TASK(HIGH)
{
	TaskType task = INVALID_TASK;

	ALLOWED(GetTaskID(&task));
	EXPECT(task, HIGH);
	EXPECT(state_of(HIGH), RUNNING);
	EXPECT(state_of(MAIN), READY);
	TerminateTask();
}

static void ask(void)
{
	TaskStateType state = 0xff;
	TaskType task = INVALID_TASK;

	ALLOWED(GetTaskID(&task));
	EXPECT(task, MAIN);
	REFUSED(GetTaskState(PLF_TASKS, &state), E_OS_ID, PLF_CALL_GET_TASK_STATE);
	REFUSED(GetTaskState(INVALID_TASK, &state), E_OS_ID, PLF_CALL_GET_TASK_STATE);
	EXPECT(state, 0xff);
	EXPECT(state_of(MAIN), RUNNING);
	EXPECT(state_of(WAITER), WAITING);
	EXPECT(state_of(HIGH), SUSPENDED);
	EXPECT(state_of(LOW), READY);
	if (PLF_EXTENDED_STATUS) {
		REFUSED(GetTaskID(NULL), E_OS_PARAM_POINTER, PLF_CALL_GET_TASK_ID);
		REFUSED(GetTaskState(MAIN, NULL), E_OS_PARAM_POINTER, PLF_CALL_GET_TASK_STATE);
		REFUSED(GetTaskState(99, NULL), E_OS_PARAM_POINTER, PLF_CALL_GET_TASK_STATE);
	}
}

/* Also if the ceiling is the task's priority, because only this task uses R. */
static void end_in_section(void)
{
	ALLOWED(GetResource(R));
	REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	REFUSED(ChainTask(HIGH), E_OS_RESOURCE, PLF_CALL_CHAIN_TASK);
	REFUSED(ChainTask(MAIN), E_OS_RESOURCE, PLF_CALL_CHAIN_TASK);
	REFUSED(ChainTask(LOW), E_OS_RESOURCE, PLF_CALL_CHAIN_TASK); /* LOW is at its limit */
	REFUSED(ChainTask(PLF_TASKS), E_OS_ID, PLF_CALL_CHAIN_TASK);
	REFUSED(Schedule(), E_OS_RESOURCE, PLF_CALL_SCHEDULE);
	ALLOWED(ReleaseResource(R));
	ALLOWED(Schedule());
}

/* No task preempts it, not even when Schedule() is refused. */
TASK(NON)
{
	ALLOWED(ActivateTask(HIGH));
	if (PLF_EXTENDED_STATUS) {
		ALLOWED(GetResource(N));
		REFUSED(Schedule(), E_OS_RESOURCE, PLF_CALL_SCHEDULE);
		EXPECT(state_of(HIGH), READY);
		ALLOWED(ReleaseResource(N));
	}
	ALLOWED(ActivateTask(ABOVE));
	EXPECT(state_of(HIGH), READY);
	EXPECT(state_of(ABOVE), READY);
	ALLOWED(Schedule());
	EXPECT(state_of(HIGH), SUSPENDED);
	TerminateTask();
}

TASK(ABOVE)
{
	TerminateTask();
}

TASK(MAIN)
{
	ALLOWED(ActivateTask(WAITER));
	REFUSED(ActivateTask(WAITER), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ActivateTask(MAIN), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ActivateTask(PLF_TASKS), E_OS_ID, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ActivateTask(INVALID_TASK), E_OS_ID, PLF_CALL_ACTIVATE_TASK);
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(ActivateTask(LOW));
	ALLOWED(ActivateTask(LOW));
	REFUSED(ActivateTask(LOW), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ChainTask(LOW), E_OS_LIMIT, PLF_CALL_CHAIN_TASK);
	REFUSED(ChainTask(WAITER), E_OS_LIMIT, PLF_CALL_CHAIN_TASK);
	REFUSED(ChainTask(INVALID_TASK), E_OS_ID, PLF_CALL_CHAIN_TASK);
	ask();
	ALLOWED(ActivateTask(NON));
	if (PLF_EXTENDED_STATUS)
		end_in_section();
	ALLOWED(SetEvent(WAITER, EV));
	EXPECT(state_of(WAITER), SUSPENDED);
	EXPECT(GetActiveApplicationMode(), OSDEFAULTAPPMODE);
	TerminateTask();
}

TASK(LOW)
{
	EXPECT(state_of(MAIN), SUSPENDED);
	ShutdownOS(E_OK);
}
