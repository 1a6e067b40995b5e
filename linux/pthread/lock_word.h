/* SPDX-License-Identifier: MIT */
#ifndef PLF_LOCK_WORD_H
#define PLF_LOCK_WORD_H

/* The lock word of a mutex: exclusion, and inheritance while a thread waits. See protect.h. */
#include "member.h"

#include <time.h>

/* The end of a wait. NULL instead of a deadline: wait for ever. */
struct plf_deadline {
	clockid_t clock; /* CLOCK_REALTIME or CLOCK_MONOTONIC */
	const struct timespec *time;
};

/* Take the lock word, if it is free. False: it is held. */
bool plf_lock_word_try(struct plf_protect *m);

/*
 * Sleep until the lock word is the caller's; the kernel lends the holder the caller's priority.
 * EDEADLK: the caller holds it, or the wait would close a cycle; ETIMEDOUT; ESRCH or EPERM: the
 * holder is gone, or is of another process.
 */
int plf_lock_word_wait(struct plf_protect *m, const struct plf_deadline *deadline);

/* Free the lock word, or pass it to the next sleeper. The mutex is not touched afterwards. */
void plf_lock_word_give(struct plf_protect *m);

/*
 * Returns 0 if the kernel accepts the deadline. EINVAL: its nanoseconds are out of range.
 * ETIMEDOUT: it is before 1970.
 */
int plf_check_deadline(const struct plf_deadline *deadline);

/* On the stack of a sleeper. A debugger finds the mutex by it: see debug/mutexes.py. */
struct plf_vain_sleep {
	uint32_t word, mark; /* the futex, always 0, and PLF_VAIN_SLEEP */
	const struct plf_protect *mutex;
};

enum { PLF_VAIN_SLEEP = 0x6e696176 };

/*
 * Sleep for a release of M that will not come. Returns an error, never 0: EINVAL, ETIMEDOUT, or
 * another kernel error.
 */
int plf_sleep_forever(const struct plf_protect *m, const struct plf_deadline *deadline);

static inline uint32_t plf_lock_word(const struct plf_protect *m)
{
	return __atomic_load_n(&m->lock, __ATOMIC_RELAXED);
}

static inline bool plf_lock_word_is_mine(const struct plf_protect *m)
{
	return (plf_lock_word(m) & PLF_TID_MASK) == plf_me.tid;
}

#endif
