/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for a condition under a library that changes the time: their length follows that time. */
#include "team.h"

enum { SHORT_MS = 30, LONGEST_MS = 5000 };

static pthread_mutex_t mutex;

static long since_ms(const struct timespec *from)
{
	struct timespec now;

	assert_ok(clock_gettime(CLOCK_MONOTONIC, &now));
	return (now.tv_sec - from->tv_sec) * 1000 + (now.tv_nsec - from->tv_nsec) / 1000000;
}

static void wait_shortly(pthread_cond_t *cond, clockid_t clock)
{
	struct timespec from, end = in_ms(clock, SHORT_MS);

	assert_ok(clock_gettime(CLOCK_MONOTONIC, &from));
	assert_ok(pthread_mutex_lock(&mutex));
	if (clock == CLOCK_MONOTONIC)
		assert_int_equal(pthread_cond_clockwait(cond, &mutex, clock, &end), ETIMEDOUT);
	else
		assert_int_equal(pthread_cond_timedwait(cond, &mutex, &end), ETIMEDOUT);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_in_range(since_ms(&from), SHORT_MS - 1, LONGEST_MS);
}

static void last_as_long_as_that_says(void **state)
{
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	wait_shortly(&cond, CLOCK_REALTIME);
	wait_shortly(&cond, CLOCK_MONOTONIC);
}

static void end_at_once_when_the_time_is_over(void **state)
{
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec past = in_ms(CLOCK_REALTIME, -1), first = { 0 };

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_cond_timedwait(&cond, &mutex, &past), ETIMEDOUT);
	assert_int_equal(pthread_cond_timedwait(&cond, &mutex, &first), ETIMEDOUT);
	assert_ok(pthread_mutex_unlock(&mutex));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(last_as_long_as_that_says),
		team_test(end_at_once_when_the_time_is_over),
	};

	return cmocka_run_group_tests_name("fake clock", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
