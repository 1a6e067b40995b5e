/* SPDX-License-Identifier: MIT */
/*
 * Several activations of several tasks of a priority run in the order of activations, of whichever
 * tasks. A preempted task resumes before them, and a woken task comes after them (OSEK 2.2.3, 4.5).
 */
#include "check.h"

static unsigned runs_of_a;

/* If a task has several activations, its state is that of the running activation (13.2.3.6). */
static TaskStateType state_of(TaskType task)
{
	TaskStateType state = 0xff;

	ALLOWED(GetTaskState(task, &state));
	return state;
}

/* No task below has run yet. The last activation of each task is an activation too many. */
TASK(FIRST)
{
	static const TaskType order[] = { A, B, A, C, B, A, B, C };

	for (unsigned i = 0; i < sizeof(order); i++)
		ALLOWED(ActivateTask(order[i]));
	ALLOWED(ActivateTask(A));
	REFUSED(ActivateTask(A), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ActivateTask(B), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ActivateTask(C), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	mark('1');
	TerminateTask();
}

/* A is preempted. The event comes between an activation of A and an activation of B. */
TASK(HIGH)
{
	mark('H');
	EXPECT(state_of(A), READY);
	ALLOWED(SetEvent(WAITER, EV));
	TerminateTask();
}

/* WAITER has the priority of A, and is the first. While it waits it keeps no other task back. */
TASK(WAITER)
{
	mark('w');
	ALLOWED(WaitEvent(EV));
	mark('W');
	TerminateTask();
}

/* The running activation counts, so its end makes room. */
TASK(A)
{
	mark('a');
	EXPECT(state_of(A), RUNNING);
	if (++runs_of_a == 1)
		REFUSED(ActivateTask(A), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	if (runs_of_a == 2) {
		ALLOWED(ActivateTask(A));
		ALLOWED(ActivateTask(HIGH));
		ALLOWED(ActivateTask(HIGH));
		mark('A');
		ALLOWED(ActivateTask(B));
	}
	TerminateTask();
}

/* B has the priority of A, so it preempts no task. */
TASK(B)
{
	mark('b');
	TerminateTask();
}

TASK(C)
{
	mark('c');
	TerminateTask();
}

TASK(LAST)
{
	EXPECT_TRAIL("1w"
		     "ab"
		     "aHHA"
		     "cbabca"
		     "aWb");
	ShutdownOS(E_OK);
}
