/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * EINVAL for a thread whose priority is above the ceiling. Its base priority counts, not a priority
 * that another section lends. A refused lock leaves nothing behind.
 */
#include "team.h"

#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex, higher;
static sem_t sem;

static void set_base(int priority)
{
	assert_ok(pthread_setschedprio(pthread_self(), priority));
}

static int timed(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 50);

	return pthread_mutex_timedlock(&mutex, &end);
}

static int clocked(void)
{
	struct timespec end = in_ms(CLOCK_MONOTONIC, 50);

	return pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &end);
}

/* Every kind of lock has the expected result. */
static void try_each_lock(int expected_result)
{
	int results[4];

	results[0] = pthread_mutex_lock(&mutex);
	if (results[0] == 0)
		assert_ok(pthread_mutex_unlock(&mutex));
	results[1] = pthread_mutex_trylock(&mutex);
	if (results[1] == 0)
		assert_ok(pthread_mutex_unlock(&mutex));
	results[2] = timed();
	if (results[2] == 0)
		assert_ok(pthread_mutex_unlock(&mutex));
	results[3] = clocked();
	if (results[3] == 0)
		assert_ok(pthread_mutex_unlock(&mutex));
	for (int i = 0; i < 4; i++)
		assert_int_equal(results[i], expected_result);
}

/* The same, and the priority does not change. */
static void each_lock(int expected_result, int priority)
{
	try_each_lock(expected_result);
	assert_int_equal(kernel_priority(gettid()), priority);
	assert_int_equal(effective_priority(), priority);
}

static void the_base_priority_is_compared(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 20, PTHREAD_MUTEX_ERRORCHECK);
	for (int round = 0; round < 2; round++) {
		set_base(20);
		each_lock(0, 20);
		set_base(21);
		each_lock(EINVAL, 21);
		set_base(99);
		each_lock(EINVAL, 99);
		set_base(19);
		each_lock(0, 19);
	}
}

static void what_a_section_lends_is_not_compared(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 20, PTHREAD_MUTEX_NORMAL);
	make_mutex(&higher, 50, PTHREAD_MUTEX_NORMAL);
	for (int asked = 0; asked < 2; asked++) {
		set_base(20);
		assert_ok(pthread_mutex_lock(&higher));
		if (asked)
			assert_int_equal(effective_priority(), 50);
		try_each_lock(0);
		if (asked)
			assert_int_equal(kernel_priority(gettid()), 50);
		else
			expect_perhaps_raised(50, 20);
		assert_int_equal(effective_priority(), 50);
		assert_ok(pthread_mutex_unlock(&higher));
		set_base(21);
		assert_ok(pthread_mutex_lock(&higher));
		assert_int_equal(effective_priority(), 50);
		each_lock(EINVAL, 50);
		assert_ok(pthread_mutex_unlock(&higher));
		assert_int_equal(effective_priority(), 21);
	}
}

static void lock_and_hold(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(sem_wait(&sem));
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* The lock is refused at once, not after a wait. */
static void also_where_it_is_held(void **state)
{
	struct member holder;

	UNUSED(state);
	make_mutex(&mutex, 20, PTHREAD_MUTEX_NORMAL);
	assert_ok(sem_init(&sem, 0, 0));
	set_base(30);
	start(&holder, 20, lock_and_hold, NULL);
	await_sleep(&holder);
	assert_int_equal(pthread_mutex_lock(&mutex), EINVAL);
	assert_int_equal(timed(), EINVAL);
	assert_int_equal(kernel_priority(gettid()), 30);
	assert_ok(sem_post(&sem));
	join(&holder);
	set_base(20);
	each_lock(0, 20);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(the_base_priority_is_compared),
		team_test(what_a_section_lends_is_not_compared),
		team_test(also_where_it_is_held),
	};

	return cmocka_run_group_tests_name("ceiling check", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
