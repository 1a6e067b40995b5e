/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * The drop-in beside another interposer, which makes every mutex here a protect mutex if it stands
 * in front, and no mutex if it stands behind. The drop-in reaches the C library in its own ways,
 * and works.
 */
#include "team.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t of_static = PTHREAD_MUTEX_INITIALIZER, of_init;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool is_posted;

static int ceiling(void)
{
	const char *where = getenv("INTERPOSER");

	assert_non_null(where);
	return strcmp(where, "front") == 0 ? 40 : LOW;
}

static void lock_one(pthread_mutex_t *mutex)
{
	assert_ok(pthread_mutex_lock(mutex));
	assert_int_equal(effective_priority(), ceiling());
	assert_ok(pthread_mutex_unlock(mutex));
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void lock_both(void *unused)
{
	UNUSED(unused);
	lock_one(&of_static);
	lock_one(&of_init);
}

static void both_kinds_are_protected(void **state)
{
	UNUSED(state);
	assert_ok(pthread_mutex_init(&of_init, NULL));
	lock_both(NULL);
	run_as(LOW, lock_both, NULL);
}

static void lock_in_a_grandchild(void *unused)
{
	UNUSED(unused);
	lock_both(NULL);
	run_as(LOW, lock_both, NULL);
	assert_int_equal(in_child(lock_both, NULL), 0);
}

static void unlock_first(void *unused)
{
	assert_ok(pthread_mutex_unlock(&of_init));
	lock_in_a_grandchild(unused);
}

static void children_of_fork_lock(void **state)
{
	UNUSED(state);
	assert_int_equal(in_child(lock_in_a_grandchild, NULL), 0);
	assert_ok(pthread_mutex_lock(&of_init));
	assert_int_equal(in_child(unlock_first, NULL), 0);
	assert_ok(pthread_mutex_unlock(&of_init));
}

static void post(void *unused)
{
	UNUSED(unused);
	assert_ok(pthread_mutex_lock(&of_static));
	is_posted = true;
	assert_ok(pthread_cond_signal(&cond));
	assert_ok(pthread_mutex_unlock(&of_static));
}

static void a_wait_locks_again(void **state)
{
	struct member poster;

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&of_static));
	start(&poster, LOW, post, NULL);
	while (!is_posted)
		assert_ok(pthread_cond_wait(&cond, &of_static));
	assert_int_equal(effective_priority(), ceiling());
	assert_ok(pthread_mutex_unlock(&of_static));
	join(&poster);
}

static void wait_in_vain(void *argument)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 1);

	assert_int_equal(pthread_mutex_timedlock(argument, &end), ETIMEDOUT);
}

/* An adaptive mutex, which neither side converts. */
static void a_wrapped_wait_ends(void **state)
{
	pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&adaptive));
	run_as(LOW, wait_in_vain, &adaptive);
	assert_ok(pthread_mutex_unlock(&adaptive));
}

static void raw_calls_are_seen_by_the_drop_in_alone(void **state)
{
	struct sched_param param = { .sched_priority = LOW };

	UNUSED(state);
	assert_ok(pthread_mutex_lock(&of_static));
	assert_ok(syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param));
	assert_ok(syscall(SYS_sched_getparam, 0, &param));
	assert_int_equal(param.sched_priority, ceiling());
	assert_ok(pthread_mutex_unlock(&of_static));
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(both_kinds_are_protected),
		team_test(children_of_fork_lock),
		team_test(a_wait_locks_again),
		team_test(a_wrapped_wait_ends),
		team_test(raw_calls_are_seen_by_the_drop_in_alone),
	};

	return cmocka_run_group_tests_name("interposers", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
