/* SPDX-License-Identifier: MIT */
/*
 * Several activations, of several tasks of one priority: in the order of activations, of
 * whichever tasks. A preempted task goes on before those (OSEK 2.2.3, 4.6.5).
 */
#include "check.h"

static unsigned runs_of_a;

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

TASK(HIGH)
{
	mark('H');
	TerminateTask();
}

/* The running activation counts: its own end makes room. */
TASK(A)
{
	mark('a');
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
	EXPECT_TRAIL("1"
		     "ab"
		     "aHHA"
		     "cbabca"
		     "ab");
	ShutdownOS(E_OK);
}
