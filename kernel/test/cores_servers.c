/* SPDX-License-Identifier: MIT */
/*
 * Servers of one core, whose tasks another core activates and signals: each has them in its own
 * queue, and nothing is lost over many of its periods.
 */
#include "check.h"
#include "plf_clock.h"

enum { TIMES = 100 };

static volatile uint32_t firsts, lasts, woken;

static void await(EventMaskType events)
{
	EXPECT(WaitEvent(events), E_OK);
	EXPECT(ClearEvent(events), E_OK);
}

TASK(FIRST)
{
	firsts++;
	EXPECT(SetEvent(MAIN, OF_UPPER), E_OK);
	TerminateTask();
}

TASK(WAITS)
{
	for (;;) {
		await(GO);
		woken++;
	}
}

/* The more urgent server of its core is the next that has budget. */
TASK(LAST)
{
	uint32_t before = woken;
	StatusType status = SetEvent(WAITS, GO);

	EXPECT(status, E_OK);
	lasts++;
	while (woken == before)
		plf_spend(100);
	EXPECT(SetEvent(MAIN, OF_LOWER), E_OK);
	TerminateTask();
}

/* Of a core without servers. */
TASK(MAIN)
{
	for (uint32_t i = 1; i <= TIMES; i++) {
		EXPECT(ActivateTask(LAST), E_OK);
		EXPECT(ActivateTask(FIRST), E_OK);
		await(OF_UPPER);
		EXPECT(firsts, i);
		await(OF_LOWER);
		EXPECT(lasts, i);
		plf_spend(i * 777);
	}
	ShutdownAllCores(E_OK);
}
