/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLOCK_H
#define PLF_CLOCK_H

#include <stdint.h>

/* The virtual time, in nanoseconds since the start. */
uint64_t plf_user_now_ns(void);

/* Use the processor for so long. */
void plf_spend(uint64_t duration_ns);

#endif
