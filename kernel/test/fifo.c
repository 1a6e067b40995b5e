/* SPDX-License-Identifier: MIT */
/*
 * Several activations, of several tasks of one priority: in the order of activations, of
 * whichever tasks. A preempted task goes on before those, and one that is woken comes after them
 * (OSEK 2.2.3, 4.5).
 */
#include "check.h"

static unsigned runs_of_a;

/* Of a task with several activations it is that of the one that runs (13.2.3.6). */
static TaskStateType state_of(TaskType task)
{
	TaskStateType state = 0xff;

	ALLOWED(GetTaskState(task, &state));
	return state;
}

/* No task below runs yet. The last activation of each is one too many. */
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

/* A is preempted. The event comes between an activation of A and one of B. */
TASK(HIGH)
{
	mark('H');
	EXPECT(state_of(A), READY);
	ALLOWED(SetEvent(WAITER, EV));
	TerminateTask();
}

/* Of the priority of A, and the first of it. While it waits it keeps no other one back. */
TASK(WAITER)
{
	mark('w');
	ALLOWED(WaitEvent(EV));
	mark('W');
	TerminateTask();
}

/* The running activation counts: its own end makes room. */
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

/* With the priority of A: an equal one preempts no task. */
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
