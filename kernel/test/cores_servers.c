/* SPDX-License-Identifier: MIT */
/*
 * Servers of one core, whose tasks another core activates and signals: each has them in its own
 * queue, and nothing is lost over many of its periods.
 */
#include "server_budget.h"
#include "several_cores.h"

enum { TIMES = 100, ROUNDS = 10, US = 1000, ON_BOARD = PLF_DRAW_NS > 0 };

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

/* Its alarm never expires. */
TASK(NEVER)
{
	CHECK(false);
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

/* Servers of another core. */
static void refuse(void)
{
	uint64_t left_ns = 7;

	EXPECT(GetBudget(UPPER, &left_ns), E_OS_CORE);
	EXPECT(GetBudget(LOWER, &left_ns), E_OS_CORE);
	EXPECT(GetBudget(PLF_SERVERS, &left_ns), E_OS_ID);
	EXPECT(left_ns, 7);
}

/* ---- What another core activates costs its own server alone, and comes at once ------------- */

static uint32_t charged_rounds, lower_runs, urgent_ran;
static volatile uint64_t sent_ns, ran_ns;

TASK(BELOW)
{
	TerminateTask();
}

/* In each round MAIN activates a task of LOWER. On a board the budget may become whole then. */
TASK(CHARGED)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint64_t before_ns = left(TIMED);

		count(&charged_rounds);
		plf_spend(10 * US);
		if (!ON_BOARD)
			EXPECT(before_ns - left(TIMED), 10 * US);
	}
	TerminateTask();
}

static void costs_its_own_server(void)
{
	EXPECT(ActivateTask(CHARGED), E_OK);
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		AWAIT(look(&charged_rounds) >= round);
		plf_spend(3 * US);
		EXPECT(ActivateTask(BELOW), E_OK);
	}
	AWAIT(state_of(CHARGED) == SUSPENDED);
	AWAIT(state_of(BELOW) == SUSPENDED);
}

TASK(RUNS)
{
	show(&lower_runs, true);
	while (!look(&urgent_ran))
		plf_spend(100);
	TerminateTask();
}

TASK(URGENT)
{
	ran_ns = plf_user_now_ns();
	show(&urgent_ran, true);
	TerminateTask();
}

static void comes_at_once(void)
{
	EXPECT(ActivateTask(RUNS), E_OK);
	AWAIT(look(&lower_runs));
	sent_ns = plf_user_now_ns();
	EXPECT(ActivateTask(URGENT), E_OK);
	AWAIT(look(&urgent_ran));
	if (!ON_BOARD) /* which need not let the other core execute */
		EXPECT(ran_ns, sent_ns);
	AWAIT(state_of(RUNS) == SUSPENDED);
}

/* Of a core without servers. */
TASK(MAIN)
{
	uint32_t seen;

	refuse();
	costs_its_own_server();
	comes_at_once();
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
	AWAIT(ticks >= seen + TIMES); /* the other core's alarm still comes */
	ShutdownAllCores(E_OK);
}
