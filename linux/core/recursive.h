/* SPDX-License-Identifier: MIT */
#ifndef PLF_RECURSIVE_H
#define PLF_RECURSIVE_H

/*
 * Recursive mutexes: a lock by the holder, T, opens no section, it is counted. The first such lock
 * makes the short paths of plf_mutex_unlock() refuse, and the last that is taken back lets them
 * free the mutex again; so they need not ask for the count. They do so by a word that they compare
 * in any case: a keeper's (hold_again() of keeper.h) or, of a mutex across CPUs, slot->globals.
 */
#include "admission.h"

/* Does T hold MUTEX, and is that recursive? */
static inline bool plf_may_lock_again(const struct plf_thread *t, const plf_mutex_t *mutex)
{
	return mutex->recursive != 0 && plf_holds(t, mutex);
}

/* Did T lock MUTEX more than once? */
static inline bool plf_is_held_again(const struct plf_thread *t, const plf_mutex_t *mutex)
{
	return mutex->again > 0 && plf_holds(t, mutex);
}

/* EAGAIN: PLF_MUTEX_LOCKS_MAX times already. */
__attribute__((warn_unused_result)) int plf_lock_again(struct plf_thread *t, plf_mutex_t *mutex);

/* Take one lock of several back. Returns 0. */
int plf_unlock_again(struct plf_thread *t, plf_mutex_t *mutex);

#endif
