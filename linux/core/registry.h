/* SPDX-License-Identifier: MIT */
#ifndef PLF_REGISTRY_H
#define PLF_REGISTRY_H

/*
 * What attach, detach and fork() change: how many threads of the process are attached, and the
 * backend of them all. Locks and waits never take its lock.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum plf_backend {
	PLF_NONE,
	PLF_USER,
	PLF_SYSCALL,
	PLF_MODULE,
	PLF_BACKENDS,
};

extern const char *const plf_backend_names[PLF_BACKENDS];

void plf_registry_lock(void);
void plf_registry_unlock(void);

/* Is it the mutex of the registry? While learning, all others are watched. */
bool plf_registry_is(const pthread_mutex_t *mutex);

/* The rest is called under the registry lock, but for plf_registry_leave(). */

/* PLF_NONE: no thread is attached. */
enum plf_backend plf_backend_in_use(void);

/* May a thread of that backend join? Not beside those of another. */
bool plf_registry_admits(enum plf_backend backend);

/* One thread more, which plf_registry_admits(). */
void plf_registry_join(enum plf_backend backend);

/* One less. */
void plf_registry_leave(void);

/* In the child of fork(): the calling thread is left, if it was attached. */
void plf_registry_after_fork(bool is_attached);

#endif
