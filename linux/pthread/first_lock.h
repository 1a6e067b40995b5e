/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_FIRST_LOCK_H
#define PLF_PTHREAD_FIRST_LOCK_H

/*
 * A plain mutex that no call initialises, such as a std::mutex, gets its learned choice at its
 * first lock.
 *
 * Invariant: a mutex changes its protocol only while no thread is inside the C library with it.
 * While there are such choices, every lock of a plain mutex comes here before it enters the C
 * library, one at a time. So an undecided mutex that is free has no other user.
 */
#include "protect.h"

/* True unless the mutex was decided, or was made by a call that was seen. */
static inline bool plf_is_undecided(const pthread_mutex_t *mutex)
{
	enum { PSHARED = 0x80 };
	int others = PLF_KIND_OURS | PLF_KIND_DECIDED | PLF_KIND_ROBUST | PLF_KIND_INHERIT |
		     PLF_KIND_PROTECT | PSHARED;

	return (__atomic_load_n(&mutex->__data.__kind, __ATOMIC_ACQUIRE) & others) == 0;
}

/* The caller is about to lock MUTEX, by the call that returns to `call_site`: decide it. */
void plf_first_lock(pthread_mutex_t *mutex, const void *call_site);

void plf_first_locks_after_fork(void);

#endif
