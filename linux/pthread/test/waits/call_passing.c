/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Mutexes without a ceiling and their condition variables, which are the C library's. */
#include "call.h"
#include "stage.h"

#include <time.h>

static struct timespec deadline;
static pthread_mutex_t plain;
static pthread_cond_t condition;

static void make_plain(void)
{
	check(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
	deadline.tv_sec += 100;
	check(pthread_mutex_init(&plain, NULL) == 0);
}

static void hold_plain(void)
{
	make_plain();
	check(pthread_mutex_lock(&plain) == 0);
}

static void release_plain(void)
{
	check(pthread_mutex_unlock(&plain) == 0);
}

static void clear_plain(void)
{
	check(pthread_mutex_destroy(&plain) == 0);
}

static const struct setting held = { hold_plain, release_plain, clear_plain };

static int then_unlock(int error)
{
	if (error == 0)
		release_plain();
	return error;
}

CALL(pthread_mutex_lock, held, NOT_POINT, 0, 0, then_unlock(pthread_mutex_lock(&plain)));
CALL(pthread_mutex_timedlock, held, NOT_POINT, 0, 0,
     then_unlock(pthread_mutex_timedlock(&plain, &deadline)));
CALL(pthread_mutex_clocklock, held, NOT_POINT, 0, 0,
     then_unlock(pthread_mutex_clocklock(&plain, CLOCK_REALTIME, &deadline)));

static void make_condition(void)
{
	make_plain();
	check(pthread_cond_init(&condition, NULL) == 0);
}

static void signal_condition(void)
{
	check(pthread_cond_signal(&condition) == 0);
}

/* The cancelled thread left the mutex locked. */
static void clear_condition(void)
{
	check(pthread_cond_destroy(&condition) == 0);
}

static const struct setting not_signalled = { make_condition, signal_condition, clear_condition };

static int with_plain(int (*wait)(void))
{
	check(pthread_mutex_lock(&plain) == 0);
	return then_unlock(wait());
}

static int wait_for_condition(void)
{
	return pthread_cond_wait(&condition, &plain);
}

static int wait_until_deadline(void)
{
	return pthread_cond_timedwait(&condition, &plain, &deadline);
}

static int wait_by_clock(void)
{
	return pthread_cond_clockwait(&condition, &plain, CLOCK_REALTIME, &deadline);
}

CALL(pthread_cond_wait, not_signalled, POINT, 0, 0, with_plain(wait_for_condition));
CALL(pthread_cond_timedwait, not_signalled, POINT, 0, 0, with_plain(wait_until_deadline));
CALL(pthread_cond_clockwait, not_signalled, POINT, 0, 0, with_plain(wait_by_clock));
