/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_TSAN_H
#define PLAFOND_TSAN_H

/*
 * The inline halves of plafond.h for a program built with -fsanitize=thread:
 * the sanitizer cannot see through the protocol, so announce to it the meaning
 * of each call, and keep the protocol's words inside the library, out of its sight.
 */
#include <plafond/slow.h>

#include <sanitizer/tsan_interface.h>

PLF_INLINE int plf_mutex_lock(plf_mutex_t *mutex)
{
	int error;

	__tsan_mutex_pre_lock(mutex, 0);
	error = plf_mutex_lock_slow(mutex, PLF_SLOW);
	__tsan_mutex_post_lock(
		mutex, error == 0 || error == EOWNERDEAD ? 0 : __tsan_mutex_try_lock_failed, 0);
	return error;
}

PLF_INLINE int plf_mutex_trylock(plf_mutex_t *mutex)
{
	int error;

	__tsan_mutex_pre_lock(mutex, __tsan_mutex_try_lock);
	error = plf_mutex_trylock_slow(mutex);
	__tsan_mutex_post_lock(
		mutex,
		__tsan_mutex_try_lock |
			(error == 0 || error == EOWNERDEAD ? 0 : __tsan_mutex_try_lock_failed),
		0);
	return error;
}

/* Announced before the fact: a refused unlock shows as a report, and is a bug of the caller. */
PLF_INLINE int plf_mutex_unlock(plf_mutex_t *mutex)
{
	int error;

	__tsan_mutex_pre_unlock(mutex, 0);
	error = plf_mutex_unlock_slow(mutex, PLF_SLOW);
	__tsan_mutex_post_unlock(mutex, 0);
	return error;
}

PLF_INLINE int plf_wake_hook(void)
{
	return plf_wake_hook_slow();
}

PLF_INLINE int plf_cond_timedwait(plf_cond_t *cond, plf_mutex_t *mutex, uint64_t time_ns)
{
	int error;

	__tsan_mutex_pre_unlock(mutex, 0);
	__tsan_mutex_post_unlock(mutex, 0);
	error = plf_cond_wait_until(cond, mutex, time_ns);
	__tsan_mutex_pre_lock(mutex, 0);
	__tsan_mutex_post_lock(mutex, 0, 0);
	return error;
}

PLF_INLINE int plf_cond_wait(plf_cond_t *cond, plf_mutex_t *mutex)
{
	return plf_cond_timedwait(cond, mutex, UINT64_MAX);
}

#endif
