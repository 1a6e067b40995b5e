/* SPDX-License-Identifier: MIT */
/* Non-preemptive tasks, groups by an internal resource, and Schedule() (OSEK 2.2.3, 8.7). */
#include "check.h"

TASK(HIGH)
{
	mark('h');
	TerminateTask();
}

TASK(MEMBER)
{
	mark('m');
	ALLOWED(Schedule());
	TerminateTask();
}

TASK(EQUAL)
{
	mark('q');
	TerminateTask();
}

TASK(OTHER)
{
	mark('o');
	TerminateTask();
}

/* The end of the task releases the internal resource, too, whichever task comes next. */
static void chain(void)
{
	static unsigned chained;

	ALLOWED(ActivateTask(HIGH));
	mark((char)('5' + chained));
	ChainTask(chained++ == 0 ? NON : OTHER);
}

/*
 * No task preempts NON, except when it releases the internal resource. Tasks of equal priority stay
 * behind it.
 */
TASK(NON)
{
	static bool has_run;

	if (has_run)
		chain();
	has_run = true;
	ALLOWED(ActivateTask(OTHER));
	ALLOWED(Schedule());
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(ActivateTask(EQUAL));
	mark('1');
	ALLOWED(Schedule());
	mark('2');
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(SetEvent(NON, EV));
	ALLOWED(WaitEvent(EV));
	mark('3');
	ALLOWED(ClearEvent(EV));
	ALLOWED(SetEvent(INNER, EV));
	ALLOWED(WaitEvent(EV));
	mark('4');
	chain();
}

/* Tasks above its group preempt INNER. Tasks in the group, and others of that level, do not. */
TASK(INNER)
{
	mark('i');
	ALLOWED(WaitEvent(EV));
	mark('I');
	ALLOWED(ActivateTask(MEMBER));
	ALLOWED(ActivateTask(EQUAL));
	ALLOWED(ActivateTask(HIGH));
	mark('J');
	ALLOWED(Schedule());
	mark('K');
	ALLOWED(ActivateTask(MEMBER));
	ALLOWED(SetEvent(NON, EV));
	mark('L');
	TerminateTask();
}

TASK(LAST)
{
	ALLOWED(ActivateTask(INNER));
	ALLOWED(ActivateTask(NON));
	EXPECT_TRAIL("i"
		     "1hhq2"
		     "3ho" /* INNER waits */
		     "IhJmqKLm"
		     "45h6ho");
	ShutdownOS(E_OK);
}
