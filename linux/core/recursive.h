/* SPDX-License-Identifier: MIT */
#ifndef PLF_RECURSIVE_H
#define PLF_RECURSIVE_H

/*
 * Recursive mutexes. A lock by the holder, T, opens no section; it is only counted. The first such
 * lock makes the short paths of plf_mutex_unlock() refuse. When the last one is undone, they may
 * free the mutex again. So these paths need not read the count: they refuse because of a word that
 * they compare in any case. For a mutex across CPUs this is slot->globals; otherwise the keeper
 * changes a word (hold_again() in keeper.h).
 */
#include "admission.h"

/* Is MUTEX recursive, and does T hold it? */
static inline bool plf_may_lock_again(const struct plf_thread *t, const plf_mutex_t *mutex)
{
	return mutex->recursive != 0 && plf_holds(t, mutex);
}

/* Did T lock MUTEX more than once? */
static inline bool plf_is_held_again(const struct plf_thread *t, const plf_mutex_t *mutex)
{
	return mutex->again > 0 && plf_holds(t, mutex);
}

/* Count another lock by T. EAGAIN: T has locked it PLF_MUTEX_LOCKS_MAX times already. */
__attribute__((warn_unused_result)) int plf_lock_again(struct plf_thread *t, plf_mutex_t *mutex);

/* Undo one of several locks. Returns 0. */
int plf_unlock_again(struct plf_thread *t, plf_mutex_t *mutex);

#endif
