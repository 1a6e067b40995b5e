/* SPDX-License-Identifier: MIT */
#ifndef PLF_REGISTRY_H
#define PLF_REGISTRY_H

/*
 * The state that attach, detach and fork() change: the number of attached threads of the process,
 * and their common keeper (in the drop-in, NULL). Locks and waits never take the registry lock,
 * except a thread's first lock while the drop-in learns.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct plf_keeper;

/*
 * Invariant: no signal handler runs in the thread that has the lock. So the lock stays usable even
 * if a handler forks, jumps or waits for another thread.
 */
void plf_registry_lock(void);
void plf_registry_unlock(void);

/* As plf_registry_lock(), without waiting. False: another thread has the lock. */
bool plf_registry_try(void);

/* In the child of fork(): free the lock. A caller that had it gets its signal mask back. */
void plf_registry_renew(bool had_lock);

/* Is MUTEX the registry's lock? The drop-in watches all other mutexes while it learns. */
bool plf_registry_is(const pthread_mutex_t *mutex);

/* The functions below need the registry lock, except plf_registry_leave(). */

/* The keeper of the attached threads; NULL: no thread is attached. */
const struct plf_keeper *plf_keeper_in_use(void);

/* May a thread of that keeper attach? Not while threads of another keeper are attached. */
bool plf_registry_admits(const struct plf_keeper *keeper);

/* Count a thread that plf_registry_admits(). */
void plf_registry_join(const struct plf_keeper *keeper);

/* Count one thread less. */
void plf_registry_leave(void);

/* In the child of fork(): only the calling thread is left, and counts if it is attached. */
void plf_registry_after_fork(bool is_attached);

#endif
