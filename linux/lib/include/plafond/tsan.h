/* SPDX-License-Identifier: MIT */
#ifndef PLAFOND_TSAN_H
#define PLAFOND_TSAN_H

/*
 * The inline halves of plafond.h for a program built with -fsanitize=thread. The sanitizer cannot
 * see through the protocol. So announce the meaning of each call to it, and keep the protocol's
 * words inside the library, out of its sight.
 */
#include <plafond/slow.h>

#include <sanitizer/tsan_interface.h>

/* A lock by the holder of a recursive mutex is no mistake. */
static inline unsigned plf_tsan_type(const plf_mutex_t *mutex)
{
	return mutex->recursive ? __tsan_mutex_write_reentrant : 0;
}

/* The lock that was announced as `way` ended with `error`. */
static inline int plf_tsan_locked(plf_mutex_t *mutex, unsigned way, int error)
{
	if (error != 0 && error != EOWNERDEAD)
		way |= __tsan_mutex_try_lock_failed;
	__tsan_mutex_post_lock(mutex, way | plf_tsan_type(mutex), 0);
	return error;
}

PLF_INLINE int plf_mutex_lock(plf_mutex_t *mutex)
{
	__tsan_mutex_pre_lock(mutex, plf_tsan_type(mutex));
	return plf_tsan_locked(mutex, 0, plf_mutex_lock_slow(mutex, PLF_SLOW));
}

PLF_INLINE int plf_mutex_trylock(plf_mutex_t *mutex)
{
	__tsan_mutex_pre_lock(mutex, __tsan_mutex_try_lock | plf_tsan_type(mutex));
	return plf_tsan_locked(mutex, __tsan_mutex_try_lock, plf_mutex_trylock_slow(mutex));
}

/* Announced as a trylock, because a lock that gives up closes no cycle of locks. */
PLF_INLINE int plf_mutex_timedlock(plf_mutex_t *mutex, uint64_t time_ns)
{
	__tsan_mutex_pre_lock(mutex, __tsan_mutex_try_lock | plf_tsan_type(mutex));
	return plf_tsan_locked(mutex, __tsan_mutex_try_lock,
			       plf_mutex_timedlock_slow(mutex, time_ns));
}

/* Announced before the call. A refused unlock is a bug of the caller, and shows as a report. */
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
