/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The calls of programs that were linked before 2003 (GLIBC_2.2.5). To them a pthread_cond_t is a
 * pointer to a present pthread_cond_t, which libc allocates at the first call. The latter may be
 * ours. init and destroy stay libc's, because they know only the pointer.
 */
#include "cond_libc.h"
#include "cond_state.h"
#include "protect.h"
#include "waits/interpose.h"

#include <errno.h>

struct old_cond {
	pthread_cond_t *cond;
};

int plf_old_cond_wait(struct old_cond *old, pthread_mutex_t *mutex);
int plf_old_cond_timedwait(struct old_cond *old, pthread_mutex_t *mutex,
			   const struct timespec *time);
int plf_old_cond_signal(struct old_cond *old);
int plf_old_cond_broadcast(struct old_cond *old);

#define EXPORT_OLD(name)                                                                           \
	__asm__(".symver plf_old_" #name ", pthread_" #name "@GLIBC_2.2.5, remove");               \
	PLF_EXPORT

/* libc's own function of that name, which takes the old pointer as a pthread_cond_t. */
#define OLD_LIBC(function) PLF_COND_LIBC_VERSION(function, "GLIBC_2.2.5")

static pthread_cond_t *as_libc_takes_it(struct old_cond *old)
{
	return (pthread_cond_t *)(void *)old;
}

static pthread_cond_t *cond_of(struct old_cond *old)
{
	return __atomic_load_n(&old->cond, __ATOMIC_ACQUIRE);
}

static bool is_ours(struct old_cond *old)
{
	pthread_cond_t *cond = cond_of(old);

	return cond != NULL && plf_cond_is_ours(plf_cond_state(cond));
}

/* The present pthread_cond_t. A signal without a waiter makes libc allocate it. */
static pthread_cond_t *allocated(struct old_cond *old)
{
	if (cond_of(old) == NULL)
		OLD_LIBC(pthread_cond_signal)(as_libc_takes_it(old));
	return cond_of(old);
}

EXPORT_OLD(cond_wait) int plf_old_cond_wait(struct old_cond *old, pthread_mutex_t *mutex)
{
	if (plf_is_ours(mutex) || is_ours(old)) {
		pthread_cond_t *cond = allocated(old);

		return cond != NULL ? pthread_cond_wait(cond, mutex) : ENOMEM;
	}
	PLF_SLEEPS;
	return OLD_LIBC(pthread_cond_wait)(as_libc_takes_it(old), mutex);
}

EXPORT_OLD(cond_timedwait)
int plf_old_cond_timedwait(struct old_cond *old, pthread_mutex_t *mutex,
			   const struct timespec *time)
{
	if (plf_is_ours(mutex) || is_ours(old)) {
		pthread_cond_t *cond = allocated(old);

		return cond != NULL ? pthread_cond_timedwait(cond, mutex, time) : ENOMEM;
	}
	PLF_SLEEPS;
	return OLD_LIBC(pthread_cond_timedwait)(as_libc_takes_it(old), mutex, time);
}

EXPORT_OLD(cond_signal) int plf_old_cond_signal(struct old_cond *old)
{
	if (is_ours(old))
		return pthread_cond_signal(cond_of(old));
	return OLD_LIBC(pthread_cond_signal)(as_libc_takes_it(old));
}

EXPORT_OLD(cond_broadcast) int plf_old_cond_broadcast(struct old_cond *old)
{
	if (is_ours(old))
		return pthread_cond_broadcast(cond_of(old));
	return OLD_LIBC(pthread_cond_broadcast)(as_libc_takes_it(old));
}
