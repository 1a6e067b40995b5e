/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The condition variable calls. libc's calls cannot be used with a mutex of ours, because libc's
 * wait unlocks the mutex by an internal symbol. pthread_cond_init() is libc's: it writes every
 * word, and keeps the attributes where we read them.
 *
 * Ours is a sequence number, a futex. A wait reads the number, unlocks the mutex, and sleeps while
 * the number is the same. A signal begins a new number and wakes the most urgent sleeper, in the
 * kernel's order. A broadcast wakes all sleepers.
 *
 *  - No wake-up is lost. A waiter counts itself and reads the number while it holds the mutex. A
 *    signaller may expect to wake it only if it locked the mutex after that. So the signaller finds
 *    the count, and begins a new number after that read. If the waiter is asleep, it can be woken;
 *    otherwise it finds the number changed, and does not sleep. A signal without a waiter costs no
 *    system call.
 *  - No thread takes the wake-up of another, because a thread that begins to wait when a signal has
 *    returned is not asleep when that signal wakes. A waiter between its read and its sleep goes on
 *    although the signal wakes another thread, because POSIX allows wake-ups without reason.
 *  - The number wraps. A waiter that is kept from the CPU between its read and its sleep sleeps on
 *    wrongly only if meanwhile an exact multiple of 2^32 signals was sent. Each of them is a system
 *    call, so this takes of the order of an hour.
 *  - A signal to a waiter that timed out, or is cancelled, is not lost: see cond_sleep.h and
 *    give_up().
 *  - Against destruction and fork(): see cond_state.c.
 *
 * As with libc, a wait unlocks a recursive mutex once, whatever the depth: POSIX warns that this
 * "may not actually release the mutex (if it had been locked multiple times)".
 */
#include "cond_libc.h"
#include "cond_sleep.h"
#include "cond_state.h"
#include "protect.h"
#include "waits/interpose.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

struct waiter {
	pthread_cond_t *cond;
	pthread_mutex_t *mutex;
	uint32_t state;
	uint32_t sequence; /* the number with which it goes to sleep */
};

static void enter(struct waiter *waiter)
{
	waiter->state = plf_cond_enter(waiter->cond);
	waiter->sequence = __atomic_load_n(plf_cond_sequence(waiter->cond), __ATOMIC_SEQ_CST);
}

/* Leave the condition variable first, because a destroyer must not wait for a section to end. */
static int leave(struct waiter *waiter)
{
	plf_cond_leave(waiter->cond, waiter->state);
	plf_after_wait();
	return pthread_mutex_lock(waiter->mutex);
}

/*
 * The waiter was cancelled in its sleep. If there was a signal since, it may have consumed the
 * wake-up. So all threads that slept when that signal was sent are woken, in place of the thread
 * that it was meant for.
 */
static void give_up(void *argument)
{
	struct waiter *waiter = argument;
	uint32_t *sequence = plf_cond_sequence(waiter->cond);

	if (__atomic_load_n(sequence, __ATOMIC_SEQ_CST) != waiter->sequence)
		plf_cond_rouse(sequence, (waiter->state & PLF_COND_SHARED) != 0, INT_MAX);
	leave(waiter);
}

static int sleep_until(struct waiter *waiter, clockid_t clock, const struct timespec *deadline)
{
	int error;

	pthread_cleanup_push(give_up, waiter);
	error = plf_cond_sleep(plf_cond_sequence(waiter->cond), waiter->sequence,
			       (waiter->state & PLF_COND_SHARED) != 0, clock, deadline);
	pthread_cleanup_pop(0);
	return error;
}

/*
 * EPERM and others: the mutex could not be unlocked, and nothing happened. An error of the lock,
 * such as EOWNERDEAD, comes before ETIMEDOUT.
 */
static int wait_ours(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
		     const struct timespec *deadline)
{
	struct waiter waiter = { .cond = cond, .mutex = mutex };
	int error, lock_error;

	enter(&waiter);
	error = pthread_mutex_unlock(mutex);
	if (error != 0) {
		plf_cond_leave(cond, waiter.state);
		return error;
	}
	plf_before_wait();
	error = sleep_until(&waiter, clock, deadline);
	lock_error = leave(&waiter);
	return lock_error != 0 ? lock_error : error;
}

/* The kernel refuses times before 1970, so use the first second of 1970, which is over, too. */
static int timed_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
		      const struct timespec *time)
{
	static const struct timespec first = { 0 };

	if (time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
		return EINVAL;
	return wait_ours(cond, mutex, clock, time->tv_sec < 0 ? &first : time);
}

static bool is_for_us(pthread_cond_t *cond, const pthread_mutex_t *mutex)
{
	return plf_is_ours(mutex) || plf_cond_is_ours(plf_cond_state(cond));
}

PLF_EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	if (is_for_us(cond, mutex))
		return wait_ours(cond, mutex, CLOCK_MONOTONIC, NULL);
	PLF_SLEEPS;
	return PLF_COND_LIBC(pthread_cond_wait)(cond, mutex);
}

PLF_EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				      const struct timespec *time)
{
	if (is_for_us(cond, mutex)) {
		bool monotonic = (plf_cond_state(cond) & PLF_COND_MONOTONIC) != 0;

		return timed_wait(cond, mutex, monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, time);
	}
	PLF_SLEEPS;
	return PLF_COND_LIBC(pthread_cond_timedwait)(cond, mutex, time);
}

PLF_EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
				      const struct timespec *time)
{
	if (is_for_us(cond, mutex)) {
		if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
			return EINVAL;
		return timed_wait(cond, mutex, clock, time);
	}
	PLF_SLEEPS;
	return PLF_COND_LIBC(pthread_cond_clockwait)(cond, mutex, clock, time);
}

PLF_EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
	uint32_t state = plf_cond_state(cond);

	if (!plf_cond_is_ours(state))
		return PLF_COND_LIBC(pthread_cond_signal)(cond);
	plf_cond_wake(cond, state, 1);
	return 0;
}

PLF_EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
	uint32_t state = plf_cond_state(cond);

	if (!plf_cond_is_ours(state))
		return PLF_COND_LIBC(pthread_cond_broadcast)(cond);
	plf_cond_wake(cond, state, INT_MAX);
	return 0;
}

/* Defined only so that a caller that asks for no version gets all functions of the same version. */
PLF_EXPORT int pthread_cond_init(pthread_cond_t *restrict cond,
				 const pthread_condattr_t *restrict attr)
{
	return PLF_COND_LIBC(pthread_cond_init)(cond, attr);
}

/* Waits until the woken threads have left. Then COND is as pthread_cond_init() would leave it. */
PLF_EXPORT int pthread_cond_destroy(pthread_cond_t *cond)
{
	uint32_t state = plf_cond_state(cond);
	bool is_ours = plf_cond_is_ours(state);
	int error;

	PLF_SLEEPS;
	if (is_ours)
		plf_cond_give_back(cond);
	error = PLF_COND_LIBC(pthread_cond_destroy)(cond);
	if (is_ours) {
		memset(cond, 0, sizeof(*cond));
		*plf_cond_word(cond) = state & PLF_COND_ATTRIBUTES;
	}
	return error;
}
