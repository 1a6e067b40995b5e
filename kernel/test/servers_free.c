/* SPDX-License-Identifier: MIT */
/*
 * An interrupt delays a decision beyond a replenishment. The time that the server used since then
 * is charged to its new budget.
 */
#include "check.h"
#include "plf_clock.h"

enum { US = 1000, PERIOD = 20 * US, BUDGET = 10 * US, TIMES = 50, OF_LONG = 1 << 5 };
enum { SLACK = 400, WITHOUT_CORE = 2 * US };

static uint64_t zero_ns;

static uint64_t in_period_ns(void)
{
	return (plf_user_now_ns() - zero_ns) % PERIOD;
}

/*
 * Sleep, which keeps the budget, until the last microseconds of a period. No decision looks at the
 * server in the periods between, for all of which it has a single budget.
 */
static void sleep_to_the_end(unsigned periods)
{
	EXPECT(SetRelAlarm(WAKE, (TickType)(periods * PERIOD + 17 * US - in_period_ns()), 0), E_OK);
	EXPECT(WaitEvent(EV), E_OK);
	EXPECT(ClearEvent(EV), E_OK);
	while (in_period_ns() < 18800)
		;
}

/* Returns the last instant, from the begin of this period, before the server loses the core. */
static uint64_t last_ns(void)
{
	uint64_t began = plf_user_now_ns() - in_period_ns();
	uint64_t before = plf_user_now_ns(), now;

	while ((now = plf_user_now_ns()) - before < WITHOUT_CORE)
		before = now;
	return before - began;
}

TASK(MAIN)
{
	zero_ns = plf_user_now_ns();
	for (unsigned i = 0; i < TIMES; i++) {
		uint64_t last;

		sleep_to_the_end(2 + i % 4);
		raise_interrupts(OF_LONG);
		CHECK(in_period_ns() > US && in_period_ns() < BUDGET / 2);
		last = last_ns();
		CHECK(last < BUDGET + SLACK && last > BUDGET - SLACK);
	}
	ShutdownOS(E_OK);
}
