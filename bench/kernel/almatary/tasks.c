/* SPDX-License-Identifier: MIT */
/* The tasks that arrive. */
#include "../measure.h"

NOTES_ITS_START(BELOW);

void next(uint64_t at);
READ_FIRST(plf_task_NEXT, next);

void next(uint64_t at)
{
	arrive(at);
	SetEvent(BENCH, SIGNAL);
	TerminateTask();
}

TASK(ABOVE)
{
	TerminateTask();
}

TASK(LOW)
{
	TerminateTask();
}
