/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A CPU's ceiling stack is for its own threads: the others, and who was moved away, get EXDEV. */
#include "team.h"

#include <sched.h>

static plf_mutex_t mutex;

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	assert_ok(sched_setaffinity(0, sizeof(set), &set));
}

static void use_from_elsewhere(void *unused)
{
	(void)unused;
	assert_int_equal(plf_mutex_lock(&mutex), EXDEV);
	assert_int_equal(plf_mutex_trylock(&mutex), EXDEV);
	assert_int_equal(plf_mutex_setceiling(&mutex, 30, NULL), EXDEV);
}

static void use_at_home(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static void other_cpus_mutex_is_exdev(void **state)
{
	struct member elsewhere;

	(void)state;
	assert_ok(plf_mutex_init(&mutex, 40));
	assert_ok(plf_mutex_lock(&mutex)); /* from here on it belongs to CPU 0 */
	assert_ok(plf_mutex_unlock(&mutex));
	start_on(&elsewhere, 1, 20, use_from_elsewhere, NULL);
	join(&elsewhere);
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	assert_ok(plf_mutex_destroy(&mutex)); /* and now to nobody */
	assert_ok(plf_mutex_init(&mutex, 40));
	start_on(&elsewhere, 1, 20, use_at_home, NULL);
	join(&elsewhere);
}

/* The hook and the slow path look where the thread is; going back mends it. */
static void migrated_thread_is_exdev(void **state)
{
	plf_mutex_t fresh = PLF_MUTEX_INITIALIZER(40);
	plf_sem_t sem;

	(void)state;
	assert_ok(plf_mutex_init(&mutex, 40));
	assert_ok(plf_sem_init(&sem, 1));
	assert_ok(plf_wake_hook());
	move_to(1);
	assert_int_equal(plf_wake_hook(), EXDEV);
	assert_int_equal(plf_sleep_until(0), EXDEV);
	assert_int_equal(plf_sem_wait(&sem), EXDEV);
	assert_int_equal(plf_mutex_lock(&fresh), EXDEV);
	assert_int_equal(plf_mutex_trylock(&mutex), EXDEV);
	assert_int_equal(plf_mutex_setceiling(&mutex, 30, NULL), EXDEV);
	move_to(0);
	assert_ok(plf_wake_hook());
	assert_ok(plf_mutex_lock(&fresh));
	assert_ok(plf_mutex_unlock(&fresh));
	assert_ok(plf_sem_destroy(&sem));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(other_cpus_mutex_is_exdev),
		team_test(migrated_thread_is_exdev),
	};

	return cmocka_run_group_tests_name("migration", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
