/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLOCK_H
#define PLF_CLOCK_H

#include <stdint.h>

/* The virtual time, in nanoseconds since the start. */
uint64_t plf_user_now_ns(void);

/* Use the processor for so long. */
void plf_spend(uint64_t duration_ns);

/* Another core is waited for: while the clock stands, no other one has its turn but by this. */
static inline void plf_relax(void)
{
	plf_spend(1);
}

#define PLF_DRAW_NS 0 /* how long a draw takes at most: plf_range.h */

#endif
