/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Strict refuses to wait inside a section. Robust and syscall allow it, and count it. */
#include "team.h"

static int verdict(int otherwise)
{
	return test_flags & PLF_STRICT ? EBUSY : otherwise;
}

static uint64_t counted(void)
{
	struct plf_stats stats;

	assert_ok(plf_get_stats(&stats));
	return stats.waits_in_section;
}

static void every_wait(int (*expected)(int))
{
	struct plf_periodic periodic;
	plf_sem_t sem;

	assert_ok(plf_periodic_init(&periodic, plf_now(), 1000));
	assert_ok(plf_sem_init(&sem, 1));
	assert_int_equal(plf_sleep_until(1), expected(0));
	assert_int_equal(plf_periodic_wait(&periodic), expected(0));
	assert_int_equal(plf_sem_wait(&sem), expected(0));
	plf_sem_trywait(&sem); /* does not wait, so it is allowed and not counted */
	assert_int_equal(plf_sem_timedwait(&sem, 1), expected(ETIMEDOUT));
	assert_ok(plf_sem_post(&sem));
	assert_int_equal(plf_sem_timedwait(&sem, 1), expected(0));
	assert_ok(plf_wake_hook());
}

static int as_outside(int otherwise)
{
	return otherwise;
}

static void waits_in_a_section(void **state)
{
	plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(40);

	(void)state;
	every_wait(as_outside);
	assert_int_equal(counted(), 0);
	assert_ok(plf_mutex_lock(&mutex));
	every_wait(verdict);
	assert_int_equal(counted(), verdict(0) == 0 ? 5 : 0);
	assert_ok(plf_mutex_unlock(&mutex));
	every_wait(as_outside);
	assert_int_equal(counted(), verdict(0) == 0 ? 5 : 0);
}

/* The section that the wait leaves does not count, but a section around it does. */
static void condition_in_a_section(void **state)
{
	plf_mutex_t outer = PLF_MUTEX_INITIALIZER(40);
	plf_mutex_t inner = PLF_MUTEX_INITIALIZER(40);
	plf_cond_t cond = PLF_COND_INITIALIZER;

	(void)state;
	assert_ok(plf_mutex_lock(&inner));
	assert_int_equal(plf_cond_timedwait(&cond, &inner, 1), ETIMEDOUT);
	assert_ok(plf_mutex_unlock(&inner));
	assert_int_equal(counted(), 0);
	assert_ok(plf_mutex_lock(&outer));
	assert_ok(plf_mutex_lock(&inner));
	assert_int_equal(plf_cond_timedwait(&cond, &inner, 1), verdict(ETIMEDOUT));
	assert_int_equal(counted(), verdict(0) == 0);
	assert_ok(plf_mutex_unlock(&inner)); /* locked, also after EBUSY */
	assert_ok(plf_mutex_unlock(&outer));
	assert_ok(plf_cond_destroy(&cond));
}

static void count_unattached(void *unused)
{
	struct plf_stats stats;

	(void)unused;
	assert_int_equal(plf_get_stats(&stats), EPERM);
}

static void counts_are_the_threads_own(void **state)
{
	struct member stranger;

	(void)state;
	assert_int_equal(counted(), 0); /* counted since the thread was attached again */
	start_stranger(&stranger, 20, count_unattached, NULL);
	join(&stranger);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(waits_in_a_section),
		team_test(condition_in_a_section),
		team_test(counts_are_the_threads_own),
	};

	return cmocka_run_group_tests_name("waits in a section", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
