/* SPDX-License-Identifier: MIT */
/*
 * A slot that begins late ends no later. It begins late because an interrupt took longer than the
 * time before it, perhaps more than a period.
 */
#include "check.h"
#include "plf_clock.h"

enum { US = 1000, PERIOD = 20 * US, PERIODS = 200, SLACK = 400, OF_LONG = 1 << 5 };

volatile uint64_t longest_ended_ns; /* end of LONG */
static volatile uint64_t zero_ns;

static uint64_t now(void)
{
	return plf_user_now_ns() - zero_ns;
}

/*
 * Periods have passed in an interrupt, or since then. Whether the interrupt ended within the slot,
 * so the rest of the slot began then.
 */
static bool has_the_rest(uint64_t now_ns)
{
	uint64_t ended_ns = longest_ended_ns - zero_ns;

	if (ended_ns % PERIOD > 7 * US)
		return false;
	CHECK(now_ns - ended_ns < US);
	return true;
}

/* Raises the interrupt once in each period, near the end of its slot. */
TASK(RAISES)
{
	uint64_t in = 0;

	for (;;) {
		uint64_t period = now() / PERIOD;

		if (period == in || now() % PERIOD < 17200)
			continue;
		in = period;
		raise_interrupts(OF_LONG);
	}
}

TASK(MAIN)
{
	uint64_t late = 0, later = 0, in = 0, latest_ns = 0;

	zero_ns = plf_user_now_ns();
	while (in < PERIODS) {
		uint64_t now_ns = now();

		if (now_ns / PERIOD != in && in > 2)
			late += now_ns % PERIOD > SLACK;
		if (now_ns / PERIOD > in + 1 && in > 2)
			later += has_the_rest(now_ns);
		in = now_ns / PERIOD;
		if (now_ns % PERIOD > latest_ns)
			latest_ns = now_ns % PERIOD;
	}
	CHECK(late > PERIODS / 2); /* the slot did begin late */
	CHECK(later > 0);	   /* by more than a period, with the rest of its slot */
	CHECK(latest_ns < 8 * US + SLACK);
	ShutdownOS(E_OK);
}
