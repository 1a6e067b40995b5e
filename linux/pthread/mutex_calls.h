/* SPDX-License-Identifier: MIT */
#ifndef PLF_MUTEX_CALLS_H
#define PLF_MUTEX_CALLS_H

#include <pthread.h>

/*
 * The functions for a mutex that is not ours: the C library's own, or those of a race checker that
 * stands between (race_checker.h). The first call finds the functions. It may be any of these
 * calls, because an allocator, for example, locks before anything else runs.
 */
struct plf_mutex_calls {
	int (*init)(pthread_mutex_t *, const pthread_mutexattr_t *);
	int (*destroy)(pthread_mutex_t *);
	int (*lock)(pthread_mutex_t *);
	int (*trylock)(pthread_mutex_t *);
	int (*unlock)(pthread_mutex_t *);
};

extern struct plf_mutex_calls plf_mutex_calls __attribute__((visibility("hidden")));

void plf_mutex_calls_find(void);

#endif
