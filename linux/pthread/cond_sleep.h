/* SPDX-License-Identifier: MIT */
#ifndef PLF_COND_SLEEP_H
#define PLF_COND_SLEEP_H

/*
 * The futex calls under a condition variable: unlike those of core/futex.h they may be shared
 * between processes, have either clock, and be cancelled.
 */
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/*
 * A cancellation point: sleep while *word is `value`, until `deadline` by CLOCK_MONOTONIC or
 * CLOCK_REALTIME; NULL: without end. Returns 0, for any other end, or ETIMEDOUT: then no wake-up
 * was consumed. Being cancelled may have consumed one.
 */
int plf_cond_sleep(uint32_t *word, uint32_t value, bool shared, clockid_t clock,
		   const struct timespec *deadline);

/* Wake that many sleepers, the most urgent first. */
void plf_cond_rouse(uint32_t *word, bool shared, int sleepers);

#endif
