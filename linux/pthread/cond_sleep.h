/* SPDX-License-Identifier: MIT */
#ifndef PLF_COND_SLEEP_H
#define PLF_COND_SLEEP_H

/*
 * The futex calls of a condition variable. Unlike the calls of core/futex.h they take shared
 * futexes and both clocks, and a sleep can be cancelled.
 */
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/*
 * Sleep while *word is `value`, until `deadline` by CLOCK_MONOTONIC or CLOCK_REALTIME; NULL:
 * without end. Returns ETIMEDOUT if the sleep timed out and consumed no wake-up, otherwise 0. A
 * cancellation point: a cancelled sleep may have consumed a wake-up.
 */
int plf_cond_sleep(uint32_t *word, uint32_t value, bool shared, clockid_t clock,
		   const struct timespec *deadline);

/* Wake up to that many sleepers, the most urgent first. */
void plf_cond_rouse(uint32_t *word, bool shared, int sleepers);

#endif
