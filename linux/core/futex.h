/* SPDX-License-Identifier: MIT */
#ifndef PLF_FUTEX_H
#define PLF_FUTEX_H

/* The futex calls of the library. Each returns 0 or an errno value, and leaves errno alone. */
#include "clock.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline int plf_futex(uint32_t *word, int op, uint32_t value, const struct timespec *timeout,
			    uint32_t bits)
{
	int saved = errno;
	int error = 0;

	if (syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, timeout, NULL, bits) < 0)
		error = errno;
	errno = saved;
	return error;
}

/* Before Linux 5.14 a PI futex accepts only CLOCK_REALTIME. */
static inline int plf_futex_lock_pi(uint32_t *word, uint64_t until_ns)
{
	struct timespec until;
	int error;

	if (until_ns == PLF_WITHOUT_END)
		return plf_futex(word, FUTEX_LOCK_PI, 0, NULL, 0);
	until = plf_timespec(until_ns);
	error = plf_futex(word, FUTEX_LOCK_PI2, 0, &until, 0);
	if (error != ENOSYS)
		return error;
	until = plf_on_realtime(&until);
	return plf_futex(word, FUTEX_LOCK_PI, 0, &until, 0);
}

static inline int plf_futex_unlock_pi(uint32_t *word)
{
	return plf_futex(word, FUTEX_UNLOCK_PI, 0, NULL, 0);
}

/* Sleep until woken, or until CLOCK_MONOTONIC reaches `deadline` (NULL: no deadline). */
static inline int plf_futex_wait(uint32_t *word, uint32_t value, const struct timespec *deadline)
{
	return plf_futex(word, FUTEX_WAIT_BITSET, value, deadline, FUTEX_BITSET_MATCH_ANY);
}

static inline int plf_futex_wake(uint32_t *word)
{
	return plf_futex(word, FUTEX_WAKE, 1, NULL, 0);
}

#endif
