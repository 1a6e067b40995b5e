/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPEND_H
#define PLF_SPEND_H

/* Steps of tasks whose length the clock measures: see away.c. */
#include "plf_clock.h"
#include "plf_find.h"
#include "system.h"

/* By task: the time without its core since it began to run. */
extern uint64_t plf_away_ns[PLF_TASKS];

/* The clock, less the time that the task was without its core. */
static inline uint64_t plf_own_time_ns(const volatile uint64_t *away_ns)
{
	uint64_t seen, now;

	do {
		seen = *away_ns;
		now = plf_user_now_ns();
	} while (*away_ns != seen); /* retry if it lost the core in between */
	return now - seen;
}

/*
 * Use the processor for `ns`. For boards whose cores share a stream of instructions, so a number of
 * instructions is no time. plf_relax() lets the other cores have their turns.
 */
static inline void plf_spend_by_clock(uint64_t ns)
{
	const volatile uint64_t *away_ns = &plf_away_ns[plf_find_page()->words.task];
	uint64_t begin = plf_own_time_ns(away_ns);

	while (plf_own_time_ns(away_ns) - begin < ns)
		plf_relax();
}

#endif
