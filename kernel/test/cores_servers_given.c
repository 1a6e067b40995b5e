/* SPDX-License-Identifier: MIT */
/*
 * Another core activates a task of a server. Only that server pays for it. The task runs at once if
 * its server is the most urgent.
 */
#include "server_budget.h"
#include "several_cores.h"

enum { ROUNDS = 10, US = 1000, ON_BOARD = PLF_DRAW_NS > 0 };

static uint32_t charged_rounds, lower_runs, urgent_ran;
static volatile uint64_t sent_ns, ran_ns;

TASK(BELOW)
{
	TerminateTask();
}

/*
 * In each round MAIN activates a task of LOWER. On a board the budget may be replenished meanwhile.
 */
TASK(CHARGED)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint64_t before_ns = left(UPPER);

		count(&charged_rounds);
		plf_spend(10 * US);
		if (!ON_BOARD)
			EXPECT(before_ns - left(UPPER), 10 * US);
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
	if (!ON_BOARD) /* a board need not let the other core execute */
		EXPECT(ran_ns, sent_ns);
	AWAIT(state_of(RUNS) == SUSPENDED);
}

/* MAIN is on a core without servers. */
TASK(MAIN)
{
	costs_its_own_server();
	comes_at_once();
	ShutdownAllCores(E_OK);
}
