/* SPDX-License-Identifier: MIT */
/* The tasks that are activated, which end at once, and those that do more. */
#include "../measure.h"

NOTES_ITS_START(FIRST);

void chain(uint64_t at);
READ_FIRST(plf_task_CHAIN, chain);

/* Begun in the activation before it, or not yet. */
void chain(uint64_t at)
{
	if (!begun_at)
		measure(current->run);
	arrive(at);
	TerminateTask();
}

TASK(WAITER)
{
	for (;;) {
		WaitEvent(SIGNAL);
		ClearEvent(SIGNAL);
	}
}

TASK(HIGH)
{
	TerminateTask();
}

TASK(BETWEEN)
{
	TerminateTask();
}

TASK(MEDIUM)
{
	TerminateTask();
}

TASK(LOW)
{
	TerminateTask();
}
