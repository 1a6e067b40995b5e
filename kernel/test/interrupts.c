/* SPDX-License-Identifier: MIT */
/* Interrupts of category 2: a task that they activate runs after they have ended, if it may. */
#include "check.h"

enum { OF_ACTIVATOR = 1 << 3, OF_SETTER = 1 << 7, OF_ENDER = 1 << 9 };

char interrupted; /* m: MAIN, n: NON, -: no task */

TASK(URGENT)
{
	for (;;) {
		ALLOWED(WaitEvent(EV));
		ALLOWED(ClearEvent(EV));
		mark('u');
	}
}

TASK(HIGH)
{
	static bool was_idle;

	mark('h');
	if (interrupted == '-' && was_idle) {
		EXPECT_TRAIL("1iIhh");
		raise_interrupts(OF_ENDER);
	}
	was_idle = interrupted == '-';
	TerminateTask();
}

/* No task preempts NON, but the interrupt itself comes. */
TASK(NON)
{
	interrupted = 'n';
	raise_interrupts(OF_ACTIVATOR | OF_SETTER);
	mark('n');
	TerminateTask();
}

static void in_section(ResourceType resource)
{
	ALLOWED(GetResource(resource));
	raise_interrupts(OF_ACTIVATOR);
	mark('1');
	raise_interrupts(OF_SETTER);
	mark('2');
	ALLOWED(ReleaseResource(resource));
	mark('3');
}

/* An interrupt that is raised while the task holds interrupts back comes when no task runs. */
TASK(MAIN)
{
	interrupted = 'm';
	raise_interrupts(OF_ACTIVATOR);
	EXPECT_TRAIL("iIhh");
	raise_interrupts(OF_SETTER | OF_ACTIVATOR); /* the source with the lower number is first */
	EXPECT_TRAIL("iIsSuhh");
	in_section(R);
	EXPECT_TRAIL("iI1sSu2hh3");
	ALLOWED(ActivateTask(NON));
	EXPECT_TRAIL("iIsSnuhh");
	DisableAllInterrupts();
	raise_interrupts(OF_ACTIVATOR);
	mark('1');
	interrupted = '-';
	TerminateTask();
}

TASK(FIRST)
{
	ALLOWED(ActivateTask(URGENT));
	ChainTask(MAIN);
}
