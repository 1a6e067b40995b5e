/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLOCK_H
#define PLF_CLOCK_H

#include <stdint.h>

/* The virtual time, in nanoseconds since the start. */
uint64_t plf_user_now_ns(void);

/* Use the processor for `duration_ns`. */
void plf_spend(uint64_t duration_ns);

/*
 * For a loop that waits for another core. While the clock stands, no other core has a turn
 * otherwise.
 */
static inline void plf_relax(void)
{
	plf_spend(1);
}

#define PLF_DRAW_NS 0 /* longest time of a draw: plf_range.h */

#endif
