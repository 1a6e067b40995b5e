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

/* Not of the server that has the core: it runs when that one's budget has been used. */
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
