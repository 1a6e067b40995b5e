/* SPDX-License-Identifier: MIT */
/* The tasks that are activated. */
#include "../measure.h"
#include "hog.h"
#include "plf_clock.h"

NOTES_ITS_START(FIRST);
NOTES_ITS_START(LOCAL);

TASK(RETURNS)
{
	TerminateTask();
}

/* LAST belongs to another server, and runs when the budget of the current server is used up. */
TASK(LAST)
{
	TerminateTask();
}

TASK(HOG)
{
	while (!hog.ended)
		;
	hog.ended_at = plf_user_now_ns();
	hog.ended = false;
	TerminateTask();
}
