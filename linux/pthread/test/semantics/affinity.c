/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Owners with each affinity lock the same mutexes, one after the other and nested. */
#include "team.h"

#include <unistd.h>

static pthread_mutex_t outer, inner;

static int setup(void **state)
{
	make_mutex(&outer, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&inner, 60, PTHREAD_MUTEX_ERRORCHECK);
	return prepare_main(state);
}

#define affinity_test(f) cmocka_unit_test_setup(f, setup)

static void lock_both(void *cpu)
{
	if (*(int *)cpu != ANY_CPU)
		assert_int_equal(sched_getcpu(), *(int *)cpu);
	for (int asked = 0; asked < 2; asked++) {
		assert_ok(pthread_mutex_lock(&outer));
		if (asked)
			assert_int_equal(effective_priority(), 40);
		assert_ok(pthread_mutex_lock(&inner));
		assert_int_equal(pthread_mutex_lock(&inner), EDEADLK);
		if (asked)
			assert_int_equal(effective_priority(), 60);
		assert_ok(pthread_mutex_unlock(&outer));
		assert_ok(pthread_mutex_trylock(&outer));
		assert_ok(pthread_mutex_unlock(&outer));
		assert_int_equal(effective_priority(), 60);
		assert_ok(pthread_mutex_unlock(&inner));
		assert_int_equal(kernel_priority(gettid()), 20);
		assert_int_equal(base_priority(), 20);
	}
}

/* A CPU of -1 means any CPU. */
static void one_after_the_other(void **state)
{
	static const int order[] = { 0, 0, 1, 1, -1, 0, -1, 1, 0 };
	struct member member;

	UNUSED(state);
	for (size_t first = 0; first < sizeof(order) / sizeof(order[0]); first++) {
		setup(NULL);
		for (size_t i = first; i < sizeof(order) / sizeof(order[0]); i++) {
			start_on(&member, order[i], 20, lock_both, (void *)&order[i]);
			join(&member);
		}
	}
}

/* Main, on CPU 0, holds one of the mutexes. */
static void find_it_held(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&outer), EBUSY);
	assert_ok(pthread_mutex_lock(&inner));
	assert_int_equal(effective_priority(), 60);
	assert_int_equal(pthread_mutex_trylock(&outer), EBUSY);
	assert_ok(pthread_mutex_unlock(&inner));
	assert_int_equal(effective_priority(), 20);
	note('b');
	assert_ok(pthread_mutex_lock(&outer));
	assert_int_equal(effective_priority(), 40);
	note('l');
	assert_ok(pthread_mutex_unlock(&outer));
}

static void while_it_is_held(void **state)
{
	struct member member;

	for (int cpu = ANY_CPU; cpu <= 1; cpu++) {
		setup(state);
		assert_ok(pthread_mutex_lock(&outer));
		start_on(&member, cpu, 20, find_it_held, NULL);
		await_sleep(&member);
		assert_string_equal(notes(), "b");
		assert_int_equal(effective_priority(), 40);
		assert_ok(pthread_mutex_unlock(&outer));
		join(&member);
		assert_string_equal(notes(), "bl");
		assert_int_equal(kernel_priority(gettid()), LOW);
	}
}

/* Threads of both CPUs wait: the most urgent is served first. */
static void wait_and_say(void *letter)
{
	assert_ok(pthread_mutex_lock(&outer));
	note(*(char *)letter);
	assert_ok(pthread_mutex_unlock(&outer));
}

static void waiters_of_both_cpus_by_priority(void **state)
{
	static const int cpus[] = { 0, 1, 0, 1 };
	static const int priority[] = { 20, 25, 30, 35 };
	struct member member[4];

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&outer));
	for (int i = 0; i < 4; i++) {
		start_on(&member[i], cpus[i], priority[i], wait_and_say, (char *)"abcd" + i);
		await_sleep(&member[i]);
	}
	assert_ok(pthread_mutex_unlock(&outer));
	for (int i = 0; i < 4; i++)
		join(&member[i]);
	assert_int_equal(strlen(notes()), 4);
	if (expected(WAITERS_BY_PRIORITY))
		assert_string_equal(notes(), "dcba");
}

static void move_inside(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&outer));
	assert_ok(pthread_mutex_lock(&inner));
	pin(0, 1);
	assert_int_equal(sched_getcpu(), 1);
	if (way_of_ceilings() != CLAIMED) /* claims go along */
		assert_int_equal(kernel_priority(gettid()), 60);
	assert_ok(pthread_mutex_unlock(&inner));
	assert_int_equal(effective_priority(), 40);
	assert_ok(pthread_mutex_unlock(&outer));
	assert_int_equal(effective_priority(), 20);
}

static void owner_of_two_moves(void **state)
{
	UNUSED(state);
	run_as(20, move_inside, NULL);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		affinity_test(one_after_the_other),
		affinity_test(while_it_is_held),
		affinity_test(waiters_of_both_cpus_by_priority),
		affinity_test(owner_of_two_moves),
	};

	return cmocka_run_group_tests_name("affinity", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
