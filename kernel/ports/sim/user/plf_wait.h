/* SPDX-License-Identifier: MIT */
#ifndef PLF_WAIT_H
#define PLF_WAIT_H

#include "plf_clock.h"

/* A turn of a spin, which gives other cores their turns. */
static inline void plf_await_change(const uint64_t *word, uint64_t seen)
{
	(void)word, (void)seen;
	plf_relax();
}

#endif
