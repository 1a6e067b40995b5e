/* SPDX-License-Identifier: MIT */
/* The tasks that are activated or woken, and a task that owns an event. */
#include "../measure.h"
#include "plf_clock.h"

NOTES_ITS_START(FIRST);
NOTES_ITS_START(BETWEEN);
NOTES_ITS_START(LAST);

TASK(RETURNS)
{
	TerminateTask();
}

TASK(WAITER)
{
	for (;;) {
		WaitEvent(SIGNAL);
		ClearEvent(SIGNAL);
	}
}

TASK(WOKEN)
{
	for (;;) {
		WaitEvent(SIGNAL);
		arrive(plf_user_now_ns());
		ClearEvent(SIGNAL);
	}
}

TASK(OWNER)
{
	measure(current->run);
	TerminateTask();
}
