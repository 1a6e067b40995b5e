/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Mutex attributes: each value that is set is read back, wrong values are refused, and the mutex
 * has the attributes.
 */
#include "team.h"

#include <unistd.h>

static void set_and_read_back(void **state)
{
	pthread_mutexattr_t attr;
	int value;

	UNUSED(state);
	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_getprotocol(&attr, &value));
	assert_int_equal(value, PTHREAD_PRIO_NONE);
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
	assert_ok(pthread_mutexattr_getprotocol(&attr, &value));
	assert_int_equal(value, PTHREAD_PRIO_PROTECT);
	for (int ceiling = 1; ceiling <= 99; ceiling++) {
		assert_ok(pthread_mutexattr_setprioceiling(&attr, ceiling));
		assert_ok(pthread_mutexattr_getprioceiling(&attr, &value));
		assert_int_equal(value, ceiling);
	}
	for (int type = PTHREAD_MUTEX_NORMAL; type <= PTHREAD_MUTEX_ERRORCHECK; type++) {
		assert_ok(pthread_mutexattr_settype(&attr, type));
		assert_ok(pthread_mutexattr_gettype(&attr, &value));
		assert_int_equal(value, type);
	}
	assert_ok(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED));
	assert_ok(pthread_mutexattr_getpshared(&attr, &value));
	assert_int_equal(value, PTHREAD_PROCESS_SHARED);
	assert_ok(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_PRIVATE));
	assert_ok(pthread_mutexattr_getpshared(&attr, &value));
	assert_int_equal(value, PTHREAD_PROCESS_PRIVATE);
	assert_ok(pthread_mutexattr_getprotocol(&attr, &value));
	assert_int_equal(value, PTHREAD_PRIO_PROTECT);
	assert_ok(pthread_mutexattr_destroy(&attr));
}

static void wrong_values_are_refused(void **state)
{
	pthread_mutexattr_t attr;

	UNUSED(state);
	assert_ok(pthread_mutexattr_init(&attr));
	assert_int_equal(pthread_mutexattr_setprotocol(&attr, 3), EINVAL);
	assert_int_equal(pthread_mutexattr_setprotocol(&attr, -1), EINVAL);
	assert_int_equal(pthread_mutexattr_settype(&attr, 17), EINVAL);
	assert_int_equal(pthread_mutexattr_setprioceiling(&attr, 0), EINVAL);
	assert_int_equal(pthread_mutexattr_setprioceiling(&attr, 100), EINVAL);
	assert_int_equal(pthread_mutexattr_setprioceiling(&attr, -1), EINVAL);
	assert_ok(pthread_mutexattr_destroy(&attr));
}

/* Also without a ceiling, with the two calls in any order, and with attributes used twice. */
static void each_mutex_has_its_own_ceiling(void **state)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t first, second, third;
	int value;

	UNUSED(state);
	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setprioceiling(&attr, 20));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
	assert_ok(pthread_mutex_init(&first, &attr));
	assert_ok(pthread_mutexattr_setprioceiling(&attr, 30));
	assert_ok(pthread_mutex_init(&second, &attr));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_NONE));
	assert_ok(pthread_mutex_init(&third, &attr));
	assert_ok(pthread_mutexattr_destroy(&attr));
	assert_ok(pthread_mutex_getprioceiling(&first, &value));
	assert_int_equal(value, 20);
	assert_ok(pthread_mutex_getprioceiling(&second, &value));
	assert_int_equal(value, 30);
	assert_ok(pthread_mutex_lock(&third));
	assert_int_equal(effective_priority(), LOW);
	assert_ok(pthread_mutex_lock(&second));
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_lock(&first));
	assert_int_equal(effective_priority(), 30);
	assert_ok(pthread_mutex_unlock(&second));
	assert_int_equal(effective_priority(), 20);
	assert_ok(pthread_mutex_unlock(&first));
	assert_ok(pthread_mutex_unlock(&third));
	assert_int_equal(effective_priority(), LOW);
}

static void the_default_ceiling_is_the_lowest(void **state)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t mutex;
	int value;

	UNUSED(state);
	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
	assert_ok(pthread_mutexattr_getprioceiling(&attr, &value));
	assert_int_equal(value, 1);
	assert_ok(pthread_mutex_init(&mutex, &attr));
	assert_ok(pthread_mutex_getprioceiling(&mutex, &value));
	assert_int_equal(value, 1);
	assert_int_equal(pthread_mutex_lock(&mutex), EINVAL);
	assert_ok(pthread_setschedprio(pthread_self(), 1));
	assert_ok(pthread_mutex_lock(&mutex));
	assert_ok(pthread_mutex_unlock(&mutex));
}

static void robust_is_not_supported(void **state)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t mutex;

	UNUSED(state);
	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
	assert_ok(pthread_mutexattr_setprioceiling(&attr, 40));
	assert_ok(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST));
	assert_int_equal(pthread_mutex_init(&mutex, &attr), ENOTSUP);
	assert_ok(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_STALLED));
	assert_ok(pthread_mutex_init(&mutex, &attr));
	assert_int_equal(pthread_mutex_consistent(&mutex), EINVAL);
	assert_ok(pthread_mutex_lock(&mutex));
	assert_int_equal(pthread_mutex_consistent(&mutex), EINVAL);
	assert_ok(pthread_mutex_unlock(&mutex));
}

/* A mutex for several processes is the C library's, with the same rule. */
static void shared_between_processes(void **state)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t shared;

	UNUSED(state);
	assert_ok(pthread_mutexattr_init(&attr));
	assert_ok(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT));
	assert_ok(pthread_mutexattr_setprioceiling(&attr, 40));
	assert_ok(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED));
	assert_ok(pthread_mutex_init(&shared, &attr));
	for (int i = 0; i < 2; i++) {
		assert_ok(pthread_mutex_lock(&shared));
		assert_int_equal(effective_priority(), 40);
		assert_int_equal(kernel_priority(gettid()), 40);
		assert_ok(pthread_mutex_unlock(&shared));
		assert_int_equal(effective_priority(), LOW);
	}
	assert_ok(pthread_mutex_destroy(&shared));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(set_and_read_back),
		team_test(wrong_values_are_refused),
		team_test(each_mutex_has_its_own_ceiling),
		team_test(the_default_ceiling_is_the_lowest),
		team_test(robust_is_not_supported),
		team_test(shared_between_processes),
	};

	return cmocka_run_group_tests_name("attributes", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
