/* SPDX-License-Identifier: MIT */
/*
 * Slots never overlap and never move. In 10,000 periods each slot begins within an entry of the
 * timer, and ends at its time.
 */
#include "check.h"
#include "plf_clock.h"

enum { US = 1000, PERIOD = 20 * US, PERIODS = 10000, SLACK = 400 };

/* First and last instant of a slot, in nanoseconds from the begin of a period. */
struct slot {
	uint64_t earliest_ns, latest_ns, latest_begin_ns;
	uint32_t periods;
};
static volatile struct slot first = { .earliest_ns = PERIOD }, other = { .earliest_ns = PERIOD };
static volatile uint64_t zero_ns;

static void see(volatile struct slot *slot, uint64_t *in, uint64_t now_ns)
{
	uint64_t period = now_ns / PERIOD, offset_ns = now_ns % PERIOD;

	if (period != *in && *in) {
		slot->periods++;
		if (offset_ns > slot->latest_begin_ns)
			slot->latest_begin_ns = offset_ns;
	}
	*in = period;
	if (offset_ns < slot->earliest_ns)
		slot->earliest_ns = offset_ns;
	if (offset_ns > slot->latest_ns)
		slot->latest_ns = offset_ns;
}

static uint64_t now(void)
{
	return plf_user_now_ns() - zero_ns;
}

TASK(SEES)
{
	uint64_t in = 0;

	for (;;) {
		see(&other, &in, now());
		plf_spend(20);
	}
}

/* Each slot comes in each period, without drift. */
static void check_slots(void)
{
	CHECK(first.latest_ns < 8 * US + SLACK);
	CHECK(first.latest_begin_ns < SLACK);
	CHECK(other.earliest_ns >= 10 * US - SLACK);
	CHECK(other.latest_ns < 18 * US + SLACK);
	CHECK(other.latest_begin_ns < 10 * US + SLACK);
	CHECK(other.periods >= PERIODS - 2);
}

TASK(MAIN)
{
	uint64_t in = 0;

	zero_ns = plf_user_now_ns();
	while (first.periods < PERIODS) {
		see(&first, &in, now());
		plf_spend(20);
	}
	check_slots();
	ShutdownOS(E_OK);
}
