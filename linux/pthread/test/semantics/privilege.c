/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A thread that may not raise its priority: a ceiling above it is refused with EPERM, nothing
 * is left of the attempt, and a ceiling at its priority works.
 */
#include "team.h"

#include <sys/resource.h>
#include <unistd.h>

enum { UNPRIVILEGED = 65534 };

static pthread_mutex_t equal, higher;

static void give_privileges_away(void)
{
	const struct rlimit none = { 0, 0 };

	assert_ok(setrlimit(RLIMIT_RTPRIO, &none));
	assert_ok(setresgid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED));
	assert_ok(setresuid(UNPRIVILEGED, UNPRIVILEGED, UNPRIVILEGED));
}

static int lock(void)
{
	return pthread_mutex_lock(&higher);
}

static int trylock(void)
{
	return pthread_mutex_trylock(&higher);
}

static int timedlock(void)
{
	struct timespec end = in_ms(CLOCK_REALTIME, 100);

	return pthread_mutex_timedlock(&higher, &end);
}

static int (*const locks[])(void) = { lock, trylock, timedlock };

static void lock_equal(void)
{
	assert_ok(pthread_mutex_lock(&equal));
	assert_int_equal(effective_priority(), 20);
	sleep_ms(1);
	assert_ok(pthread_mutex_unlock(&equal));
	assert_int_equal(effective_priority(), 20);
}

static void *be_refused(void *how)
{
	int (*attempt)(void) = *(int (*const *)(void))how;

	lock_equal();
	assert_int_equal(attempt(), EPERM);
	assert_int_equal(effective_priority(), 20);
	lock_equal();
	assert_int_equal(attempt(), expected(UNPRIVILEGED_LOCKS_AGAIN));
	assert_int_equal(effective_priority(), 20);
	return NULL;
}

/* In a process of its own; the thread inherits its priority. */
static void without_privileges(void *how)
{
	pthread_t thread;

	make_mutex(&equal, 20, PTHREAD_MUTEX_NORMAL);
	make_mutex(&higher, 21, PTHREAD_MUTEX_NORMAL);
	assert_ok(pthread_setschedprio(pthread_self(), 20));
	give_privileges_away();
	assert_ok(pthread_create(&thread, NULL, be_refused, how));
	assert_ok(pthread_join(thread, NULL));
}

static void a_higher_ceiling_is_refused(void **state)
{
	UNUSED(state);
	for (int i = 0; i < 3; i++)
		assert_int_equal(in_child(without_privileges, (void *)&locks[i]), 0);
}

static int tests(void)
{
	const struct CMUnitTest all[] = { team_test(a_higher_ceiling_is_refused) };

	return cmocka_run_group_tests_name("privilege", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return run_team(argc, argv, tests);
}
