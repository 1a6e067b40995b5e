/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "stage.h"

#include <threads.h>
#include <time.h>

static struct timespec deadline;
static pthread_rwlock_t rwlock;

static void make_deadline(void)
{
	check(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
	deadline.tv_sec += 100;
}

static void hold_rwlock(void)
{
	make_deadline();
	check(pthread_rwlock_init(&rwlock, NULL) == 0);
	check(pthread_rwlock_wrlock(&rwlock) == 0);
}

static void release_rwlock(void)
{
	check(pthread_rwlock_unlock(&rwlock) == 0);
}

static void clear_rwlock(void)
{
	check(pthread_rwlock_destroy(&rwlock) == 0);
}

static const struct setting held_rwlock = { hold_rwlock, release_rwlock, clear_rwlock };

static int then_unlock(int error)
{
	if (error == 0)
		release_rwlock();
	return error;
}

CALL(pthread_rwlock_rdlock, held_rwlock, MAY_BE, 0, 0, then_unlock(pthread_rwlock_rdlock(&rwlock)));
CALL(pthread_rwlock_wrlock, held_rwlock, MAY_BE, 0, 0, then_unlock(pthread_rwlock_wrlock(&rwlock)));
CALL(pthread_rwlock_timedrdlock, held_rwlock, MAY_BE, 0, 0,
     then_unlock(pthread_rwlock_timedrdlock(&rwlock, &deadline)));
CALL(pthread_rwlock_timedwrlock, held_rwlock, MAY_BE, 0, 0,
     then_unlock(pthread_rwlock_timedwrlock(&rwlock, &deadline)));
CALL(pthread_rwlock_clockrdlock, held_rwlock, MAY_BE, 0, 0,
     then_unlock(pthread_rwlock_clockrdlock(&rwlock, CLOCK_REALTIME, &deadline)));
CALL(pthread_rwlock_clockwrlock, held_rwlock, MAY_BE, 0, 0,
     then_unlock(pthread_rwlock_clockwrlock(&rwlock, CLOCK_REALTIME, &deadline)));

static mtx_t c11_mutex;
static cnd_t condition;

static void make_mtx(void)
{
	make_deadline();
	check(mtx_init(&c11_mutex, mtx_timed) == thrd_success);
}

static void hold_mtx(void)
{
	make_mtx();
	check(mtx_lock(&c11_mutex) == thrd_success);
}

static void release_mtx(void)
{
	check(mtx_unlock(&c11_mutex) == thrd_success);
}

static void clear_mtx(void)
{
	mtx_destroy(&c11_mutex);
}

static const struct setting held_mtx = { hold_mtx, release_mtx, clear_mtx };

static int then_release(int result)
{
	release_mtx();
	return result;
}

CALL(mtx_lock, held_mtx, NOT_POINT, thrd_success, 0, then_release(mtx_lock(&c11_mutex)));
CALL(mtx_timedlock, held_mtx, NOT_POINT, thrd_success, 0,
     then_release(mtx_timedlock(&c11_mutex, &deadline)));

static void make_condition(void)
{
	make_mtx();
	check(cnd_init(&condition) == thrd_success);
}

static void signal_condition(void)
{
	check(cnd_signal(&condition) == thrd_success);
}

static void clear_condition(void)
{
	cnd_destroy(&condition);
	clear_mtx();
}

static const struct setting not_signalled = { make_condition, signal_condition, clear_condition };

static int with_mtx(int (*wait)(void))
{
	check(mtx_lock(&c11_mutex) == thrd_success);
	return then_release(wait());
}

static int wait_for_condition(void)
{
	return cnd_wait(&condition, &c11_mutex);
}

static int wait_until_deadline(void)
{
	return cnd_timedwait(&condition, &c11_mutex, &deadline);
}

CALL(cnd_wait, not_signalled, MAY_BE, thrd_success, 0, with_mtx(wait_for_condition));
CALL(cnd_timedwait, not_signalled, MAY_BE, thrd_success, 0, with_mtx(wait_until_deadline));
