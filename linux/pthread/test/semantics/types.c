/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The types of a mutex: the effect of a second lock by the owner, and of an unlock by another
 * thread.
 */
#include "team.h"

#include <unistd.h>

static pthread_mutex_t mutex;

static void lock_twice(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('1');
	pthread_mutex_lock(&mutex);
	note('2');
}

/* By a member, which ends, because on plain glibc it does not return to its base priority. */
static void try_again(void *unused)
{
	struct timespec end;

	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
	end = in_ms(CLOCK_REALTIME, 2);
	assert_int_equal(pthread_mutex_timedlock(&mutex, &end), ETIMEDOUT);
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), expected(AFTER_TIMEOUT));
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* In Linux both names are the same type. */
_Static_assert(PTHREAD_MUTEX_DEFAULT == PTHREAD_MUTEX_NORMAL, "one type");

static void normal_and_default_block(void **state)
{
	static struct member lost; /* asleep until the process ends */

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	run_as(LOW, try_again, NULL);
	start(&lost, 20, lock_twice, NULL);
	await_sleep(&lost);
	sleep_ms(2);
	assert_string_equal(notes(), "1");
	assert_int_equal(kernel_state(lost.tid), 'S');
}

static void expect_busy(void *unused)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 1);

	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
	assert_int_equal(pthread_mutex_timedlock(&mutex, &end), ETIMEDOUT);
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
}

static void expect_free(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
}

/* Each unlock undoes one lock, so only the last unlock ends the section. */
static void recursive_counts(void **state)
{
	struct timespec past = in_ms(CLOCK_REALTIME, -1);

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_RECURSIVE);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_trylock(&mutex));
	assert_ok(pthread_mutex_timedlock(&mutex, &past));
	for (int left = 4; left > 0; left--) {
		run_as(20, expect_busy, NULL);
		assert_int_equal(effective_priority(), 40);
		assert_ok(pthread_mutex_unlock(&mutex));
	}
	assert_int_equal(effective_priority(), LOW);
	run_as(20, expect_free, NULL);
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
}

/* The same with no other thread, and no query of the priority. */
static void recursive_alone(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_RECURSIVE);
	for (int i = 0; i < 1000; i++)
		assert_ok(pthread_mutex_lock(&mutex));
	for (int i = 0; i < 1000; i++)
		assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void errorcheck_returns_it(void **state)
{
	struct timespec past = in_ms(CLOCK_REALTIME, -1);

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_ERRORCHECK);
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_mutex_lock(&mutex), EDEADLK);
	assert_int_equal(pthread_mutex_trylock(&mutex), EDEADLK);
	assert_int_equal(pthread_mutex_timedlock(&mutex, &past), EDEADLK);
	run_as(20, expect_busy, NULL);
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
	run_as(20, expect_free, NULL);
	assert_int_equal(pthread_mutex_unlock(&mutex), EPERM);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(recursive_counts),
		team_test(recursive_alone),
		team_test(errorcheck_returns_it),
		team_test(normal_and_default_block),
	};

	return cmocka_run_group_tests_name("types", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
