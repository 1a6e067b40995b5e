/* SPDX-License-Identifier: MIT */
#ifndef COND_OURS_H
#define COND_OURS_H

#include "team.h"

#include <stdlib.h>

/* Are priority-protect mutexes, and so condition variables, the drop-in's in this run? */
static inline bool are_ours(void)
{
	const char *mode = getenv("PLAFOND_MODE");

	return on_plafond() && (mode == NULL || strcmp(mode, "off") != 0);
}

/* Run `body` to its end in a thread of that priority. */
static inline void as_another(void (*body)(void *), void *argument)
{
	struct member member;

	start(&member, 50, body, argument);
	join(&member);
}

static inline void expect_busy(void *mutex)
{
	assert_int_equal(pthread_mutex_trylock(mutex), EBUSY);
}

static inline void expect_free(void *mutex)
{
	assert_ok(pthread_mutex_trylock(mutex));
	assert_ok(pthread_mutex_unlock(mutex));
}

#endif
