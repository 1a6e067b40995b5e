/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* trylock returns EBUSY only if that mutex is held, whatever other sections are open. */
#include "team.h"

static pthread_mutex_t held, free_one;

static void try_both(void *unused)
{
	UNUSED(unused);
	assert_int_equal(pthread_mutex_trylock(&held), EBUSY);
	assert_ok(pthread_mutex_trylock(&free_one));
	assert_int_equal(effective_priority(), 40);
	assert_int_equal(pthread_mutex_trylock(&held), EBUSY);
	assert_ok(pthread_mutex_unlock(&free_one));
	note('t');
}

/* The section covers the thread that tries; its owner sleeps. */
static void a_free_mutex_beside_an_open_section(void **state)
{
	struct member other;

	UNUSED(state);
	make_mutex(&held, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&free_one, 40, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&held));
	start(&other, 20, try_both, NULL);
	join(&other);
	assert_string_equal(notes(), "t");
	assert_ok(pthread_mutex_unlock(&held));
	assert_ok(pthread_mutex_trylock(&held));
	assert_ok(pthread_mutex_unlock(&held));
}

static void try_free_one(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_trylock(&free_one));
	assert_int_equal(effective_priority(), 60);
	assert_ok(pthread_mutex_unlock(&free_one));
	note('t');
}

/* The thread is above the open section's ceiling, so the owner is preempted inside. */
static void by_a_thread_above_the_section(void **state)
{
	struct member other;

	UNUSED(state);
	make_mutex(&held, 40, PTHREAD_MUTEX_NORMAL);
	make_mutex(&free_one, 60, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_mutex_lock(&held));
	start(&other, 41, try_free_one, NULL);
	assert_string_equal(notes(), "t");
	assert_ok(pthread_mutex_unlock(&held));
	join(&other);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_free_mutex_beside_an_open_section),
		team_test(by_a_thread_above_the_section),
	};

	return cmocka_run_group_tests_name("trylock", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
