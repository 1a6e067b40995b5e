/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLOCK_H
#define PLF_CLOCK_H

/* The clock that tasks read. The model advances it. */
#include "protocol/word.h"

extern uint64_t proof_now;

static inline uint64_t plf_user_now_ns(void)
{
	return plf_load64(&proof_now);
}

#endif
