/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * getprioceiling and setprioceiling: on a free mutex, on a mutex held by another thread or by the
 * caller, and with wrong arguments.
 */
#include "team.h"

#include <unistd.h>

static pthread_mutex_t mutex;

static void expect_ceiling(int ceiling)
{
	int value = 0;

	assert_ok(pthread_mutex_getprioceiling(&mutex, &value));
	assert_int_equal(value, ceiling);
}

static void change(int from, int to)
{
	int old = 0;

	assert_ok(pthread_mutex_setprioceiling(&mutex, to, &old));
	assert_int_equal(old, from);
	expect_ceiling(to);
}

static void lock_runs_at(int priority)
{
	assert_ok(pthread_mutex_lock(&mutex));
	expect_ceiling(priority);
	assert_int_equal(effective_priority(), priority);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
}

static void of_a_free_mutex(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	expect_ceiling(40);
	lock_runs_at(40);
	change(40, 60);
	lock_runs_at(60);
	change(60, 20);
	lock_runs_at(20);
	change(20, 99);
	change(99, 1);
	assert_int_equal(pthread_mutex_lock(&mutex), EINVAL);
	change(1, LOW);
	lock_runs_at(LOW);
}

/* A thread may change a ceiling that is below its own priority. */
static void no_ceiling_check(void **state)
{
	UNUSED(state);
	make_mutex(&mutex, 20, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_setschedprio(pthread_self(), 50));
	change(20, 30);
	change(30, 20);
	assert_int_equal(pthread_mutex_lock(&mutex), EINVAL);
	assert_int_equal(effective_priority(), 50);
}

static void out_of_range(void **state)
{
	int old = -5;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_int_equal(pthread_mutex_setprioceiling(&mutex, 0, &old), EINVAL);
	assert_int_equal(pthread_mutex_setprioceiling(&mutex, 100, &old), EINVAL);
	assert_int_equal(pthread_mutex_setprioceiling(&mutex, -1, &old), EINVAL);
	assert_int_equal(pthread_mutex_setprioceiling(&mutex, 1 << 20, &old), EINVAL);
	assert_int_equal(old, -5);
	lock_runs_at(40);
}

static void of_other_protocols(void **state)
{
	static const int protocols[] = { PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT };
	pthread_mutexattr_t attr;
	int value;

	UNUSED(state);
	for (int i = 0; i < 2; i++) {
		assert_ok(pthread_mutexattr_init(&attr));
		assert_ok(pthread_mutexattr_setprotocol(&attr, protocols[i]));
		assert_ok(pthread_mutex_init(&mutex, &attr));
		assert_int_equal(pthread_mutex_getprioceiling(&mutex, &value), EINVAL);
		assert_int_equal(pthread_mutex_setprioceiling(&mutex, 30, &value), EINVAL);
		assert_ok(pthread_mutex_destroy(&mutex));
	}
}

static void change_to_50(void *unused)
{
	UNUSED(unused);
	note('s');
	change(40, 50);
	note('S');
}

/* The change waits as a lock does, and the open section keeps its old ceiling. */
static void held_by_another(void **state)
{
	struct member changer;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	start(&changer, 45, change_to_50, NULL);
	assert_string_equal(notes(), "s");
	sleep_ms(2);
	assert_string_equal(notes(), "s");
	expect_ceiling(40);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_string_equal(notes(), "sS");
	join(&changer);
	assert_int_equal(effective_priority(), LOW);
	lock_runs_at(50);
}

/* A waiting thread gets the ceiling that is valid at its turn, before or after the change. */
static void lock_under_either(void *unused)
{
	int ceiling = 0;

	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_getprioceiling(&mutex, &ceiling));
	assert_int_equal(effective_priority(), ceiling);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
}

static void change_to_35(void *unused)
{
	UNUSED(unused);
	change(40, 35);
}

static void held_while_others_wait(void **state)
{
	struct member waiter, changer;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&mutex));
	start(&waiter, 20, lock_under_either, NULL);
	sleep_ms(2);
	start(&changer, 30, change_to_35, NULL);
	sleep_ms(2);
	assert_ok(pthread_mutex_unlock(&mutex));
	join(&waiter);
	join(&changer);
	lock_runs_at(35);
}

/* As a second lock by the owner: EDEADLK, but success for a recursive mutex. */
static void held_by_the_caller(void **state)
{
	int old = -5;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_ERRORCHECK);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_mutex_setprioceiling(&mutex, 50, &old), EDEADLK);
	assert_int_equal(old, -5);
	expect_ceiling(40);
	assert_ok(pthread_mutex_unlock(&mutex));
	lock_runs_at(40);
}

static void change_own_section(void *unused)
{
	UNUSED(unused);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_RECURSIVE);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(effective_priority(), 40);
	change(40, 30);
	assert_int_equal(effective_priority(), 30);
	change(30, 50);
	assert_int_equal(effective_priority(), 50);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
	assert_int_equal(base_priority(), LOW);
}

/* By a member, which ends. */
static void held_by_the_caller_recursively(void **state)
{
	UNUSED(state);
	run_as(LOW, change_own_section, NULL);
}

/* No query of the priority before the change, so the kernel may not have the ceiling yet. */
static void change_own_section_at_once(void *unused)
{
	UNUSED(unused);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_RECURSIVE);
	assert_ok(pthread_mutex_lock(&mutex));
	change(40, 50);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), LOW);
	lock_runs_at(50);
}

static void held_by_the_caller_that_just_locked(void **state)
{
	UNUSED(state);
	run_as(LOW, change_own_section_at_once, NULL);
}

/* More open sections than a thread has accounts for. */
static void change_beside_many(void *unused)
{
	static pthread_mutex_t others[64];
	enum { OTHERS = sizeof(others) / sizeof(others[0]) };

	UNUSED(unused);
	for (int i = 0; i < OTHERS; i++) {
		make_mutex(&others[i], 20, PTHREAD_MUTEX_NORMAL);
		assert_ok(pthread_mutex_lock(&others[i]));
	}
	make_mutex(&mutex, 30, PTHREAD_MUTEX_RECURSIVE);
	assert_ok(pthread_mutex_lock(&mutex));
	change(30, 50);
	assert_int_equal(effective_priority(), 50);
	assert_ok(pthread_mutex_unlock(&mutex));
	assert_int_equal(effective_priority(), 20);
	for (int i = 0; i < OTHERS; i++)
		assert_ok(pthread_mutex_unlock(&others[i]));
	assert_int_equal(effective_priority(), LOW);
	lock_runs_at(50);
}

static void held_by_the_caller_beside_many(void **state)
{
	UNUSED(state);
	run_as(LOW, change_beside_many, NULL);
}

static void change_own_normal(void *unused)
{
	int old;

	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&mutex));
	note('l');
	pthread_mutex_setprioceiling(&mutex, 50, &old);
	note('!');
}

/* The thread stays asleep until the process ends. */
static void held_by_the_caller_blocks_if_normal(void **state)
{
	static struct member lost;

	UNUSED(state);
	make_mutex(&mutex, 40, PTHREAD_MUTEX_NORMAL);
	start(&lost, 20, change_own_normal, NULL);
	await_sleep(&lost);
	sleep_ms(2);
	assert_string_equal(notes(), "l");
	assert_int_equal(kernel_state(lost.tid), 'S');
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(of_a_free_mutex),
		team_test(no_ceiling_check),
		team_test(out_of_range),
		team_test(of_other_protocols),
		team_test(held_by_another),
		team_test(held_while_others_wait),
		team_test(held_by_the_caller),
		team_test(held_by_the_caller_recursively),
		team_test(held_by_the_caller_that_just_locked),
		team_test(held_by_the_caller_beside_many),
		team_test(held_by_the_caller_blocks_if_normal),
	};

	return cmocka_run_group_tests_name("prioceiling", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
