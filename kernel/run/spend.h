/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPEND_H
#define PLF_SPEND_H

/* Steps of tasks that are as long as the clock says: see away.c. */
#include "plf_clock.h"
#include "plf_find.h"
#include "system.h"

/* How long each task has been without its core, since it began to run. */
extern uint64_t plf_away_ns[PLF_TASKS];

/* The clock without the time in which the task did not have its core. */
static inline uint64_t plf_own_time_ns(const volatile uint64_t *away_ns)
{
	uint64_t seen, now;

	do {
		seen = *away_ns;
		now = plf_user_now_ns();
	} while (*away_ns != seen); /* it lost the core in between */
	return now - seen;
}

/*
 * Use the processor for so long, on a board whose cores share one stream of instructions: there a
 * number of them is no time. The other cores have their turns meanwhile.
 */
static inline void plf_spend_by_clock(uint64_t ns)
{
	const volatile uint64_t *away_ns = &plf_away_ns[plf_find_page()->words.task];
	uint64_t begin = plf_own_time_ns(away_ns);

	while (plf_own_time_ns(away_ns) - begin < ns)
		plf_relax();
}

#endif
