/* SPDX-License-Identifier: MIT */
/*
 * Budget that no task needs. An idling server consumes it, and the less urgent server begins after
 * that. A polling server has lost it when a task arrives, which waits for the next period. A
 * deferrable server has kept it. It may use the budget of the next period right after it, but no
 * more.
 */
#include "check.h"
#include "plf_clock.h"

enum { US = 1000, PERIOD = 100 * US, PERIODS = 50, SLACK = 2 * US };

static volatile uint64_t zero_ns; /* shortly after the begin of a period */
static volatile uint32_t polled, deferred, crossed;

static uint64_t in_period_ns(void)
{
	return (plf_user_now_ns() - zero_ns) % PERIOD;
}

static void expect_at(uint64_t expected_ns)
{
	uint64_t now_ns = (in_period_ns() + US) % PERIOD; /* it may seem to be shortly before */

	CHECK(now_ns < expected_ns + US + SLACK);
	CHECK(now_ns >= expected_ns);
}

TASK(POLLED)
{
	expect_at(0);
	polled++;
	TerminateTask();
}

TASK(DEFERRED)
{
	expect_at(50 * US);
	deferred++;
	TerminateTask();
}

/* Runs from 90 us on with 20 us of budget, and with 20 us more from 100 us on. */
TASK(CROSSES)
{
	plf_spend(29 * US);
	CHECK(in_period_ns() < 20 * US + SLACK);
	plf_spend(4 * US);
	CHECK(plf_user_now_ns() - zero_ns >= 2 * PERIOD);
	crossed++;
	TerminateTask();
}

/* NEVER is never activated. */
TASK(NEVER)
{
	CHECK(false);
}

static uint32_t second(void)
{
	return (uint32_t)((plf_user_now_ns() - zero_ns) / PERIOD);
}

/* In each period MAIN first runs when the idling server has consumed its budget: 20 us in all. */
TASK(MAIN)
{
	uint32_t periods = 0, seen = 0;
	uint64_t earliest_ns = PERIOD, latest_ns = 0;

	zero_ns = plf_user_now_ns() - 20 * US;
	while (periods < PERIODS) {
		uint64_t now_ns = in_period_ns();

		periods = second();
		if (periods == seen && seen > 4) {
			earliest_ns = now_ns < earliest_ns ? now_ns : earliest_ns;
			latest_ns = now_ns > latest_ns ? now_ns : latest_ns;
		}
		seen = periods;
		plf_spend(US);
	}
	CHECK(earliest_ns >= 20 * US - SLACK);
	CHECK(latest_ns >= 38 * US && latest_ns < 40 * US + SLACK);
	EXPECT(crossed, 1);
	CHECK(polled >= PERIODS - 12);
	CHECK(deferred >= PERIODS - 12);
	ShutdownOS(E_OK);
}
