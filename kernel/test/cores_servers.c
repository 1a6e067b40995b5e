/* SPDX-License-Identifier: MIT */
/*
 * Another core activates and signals the tasks of a core's servers. Each server has its tasks in
 * its queue, and none is lost over many periods.
 */
#include "several_cores.h"

enum { TIMES = 100 };

static volatile uint32_t firsts, lasts, woken, ticks;

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
		EventMaskType events;

		EXPECT(WaitEvent(GO | TICK), E_OK);
		EXPECT(GetEvent(WAITS, &events), E_OK);
		EXPECT(ClearEvent(events), E_OK);
		woken += (events & GO) != 0;
		ticks += (events & TICK) != 0;
	}
}

/* The alarm of NEVER does not expire. */
TASK(NEVER)
{
	CHECK(false);
}

/* Of the servers of its core, the more urgent server is the next with budget. */
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

/* The servers belong to another core. */
static void refuse(void)
{
	uint64_t left_ns = 7;

	EXPECT(GetBudget(UPPER, &left_ns), E_OS_CORE);
	EXPECT(GetBudget(LOWER, &left_ns), E_OS_CORE);
	EXPECT(GetBudget(PLF_SERVERS, &left_ns), E_OS_ID);
	EXPECT(left_ns, 7);
}

/* MAIN is on a core without servers. */
TASK(MAIN)
{
	uint32_t seen;

	refuse();

	for (uint32_t i = 1; i <= TIMES; i++) {
		EXPECT(ActivateTask(LAST), E_OK);
		EXPECT(ActivateTask(FIRST), E_OK);
		await(OF_UPPER);
		EXPECT(firsts, i);
		await(OF_LOWER);
		EXPECT(lasts, i);
		EXPECT(SetRelAlarm(CALLED, 1, 0), E_OK);
		plf_spend(i * 777);
		EXPECT(CancelAlarm(CALLED), E_OK);
	}
	seen = ticks;
	AWAIT(ticks >= seen + TIMES); /* the alarm of the other core still comes */
	ShutdownAllCores(E_OK);
}
