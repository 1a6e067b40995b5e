/* SPDX-License-Identifier: MIT */
#ifndef PLF_REGISTRY_H
#define PLF_REGISTRY_H

/*
 * What attach, detach and fork() change: how many threads of the process are attached, and the
 * keeper that they all have; in the drop-in, NULL. Locks and waits never take its lock, but for
 * a thread's first one while the drop-in learns.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct plf_keeper;

/*
 * Invariant: no signal handler runs in the thread that has the lock. So a handler that forks, or
 * jumps, or waits for another thread, never leaves the lock held.
 */
void plf_registry_lock(void);
void plf_registry_unlock(void);

/* The same, without waiting. False: another thread has the lock. */
bool plf_registry_try(void);

/* In the child of fork(): no thread has the lock. A caller that had it gets its signals back. */
void plf_registry_renew(bool had_lock);

/* Is it the mutex of the registry? While learning, all others are watched. */
bool plf_registry_is(const pthread_mutex_t *mutex);

/* The rest is called under the registry lock, but for plf_registry_leave(). */

/* NULL: no thread is attached. */
const struct plf_keeper *plf_keeper_in_use(void);

/* May a thread of that keeper join? Not beside those of another. */
bool plf_registry_admits(const struct plf_keeper *keeper);

/* One thread more, which plf_registry_admits(). */
void plf_registry_join(const struct plf_keeper *keeper);

/* One less. */
void plf_registry_leave(void);

/* In the child of fork(): the calling thread is left, if it was attached. */
void plf_registry_after_fork(bool is_attached);

#endif
