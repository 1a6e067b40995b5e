/* SPDX-License-Identifier: MIT */
/* A slot that begins late, for an interrupt took longer than the time before it, ends no later. */
#include "check.h"
#include "plf_clock.h"

enum { US = 1000, PERIOD = 20 * US, PERIODS = 200, SLACK = 400, OF_LONG = 1 << 5 };

static volatile uint64_t zero_ns;

static uint64_t now(void)
{
	return plf_user_now_ns() - zero_ns;
}

/* Once in each period, near the end of its slot. */
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
	uint64_t late = 0, in = 0, latest_ns = 0;

	zero_ns = plf_user_now_ns();
	while (in < PERIODS) {
		uint64_t now_ns = now();

		if (now_ns / PERIOD != in && in > 2)
			late += now_ns % PERIOD > SLACK;
		in = now_ns / PERIOD;
		if (now_ns % PERIOD > latest_ns)
			latest_ns = now_ns % PERIOD;
	}
	CHECK(late > PERIODS / 2); /* it did begin late */
	CHECK(latest_ns < 8 * US + SLACK);
	ShutdownOS(E_OK);
}
