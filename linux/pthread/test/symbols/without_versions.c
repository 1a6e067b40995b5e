/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>

int use_cond(pthread_cond_t *cond, pthread_mutex_t *mutex);

/* All of these functions have the same version, whichever it is. Returns the number of failures. */
int use_cond(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	static const struct timespec past = { .tv_sec = 1 };
	int failures = pthread_cond_init(cond, 0) != 0;

	failures += pthread_mutex_lock(mutex) != 0;
	failures += pthread_cond_timedwait(cond, mutex, &past) == 0;
	failures += pthread_mutex_unlock(mutex) != 0;
	failures += pthread_cond_signal(cond) != 0;
	failures += pthread_cond_broadcast(cond) != 0;
	return failures + (pthread_cond_destroy(cond) != 0);
}
