/* SPDX-License-Identifier: MIT */
/* The tasks that are activated. Most of them end at once. */
#include "../measure.h"

NOTES_ITS_START(FIRST);

void chain(uint64_t at);
READ_FIRST(plf_task_CHAIN, chain);

/* The measurement began in the previous activation, or begins here. */
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
