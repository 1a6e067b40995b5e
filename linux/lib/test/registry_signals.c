/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * No signal handler runs in a thread that has the registry lock, because a handler that forks,
 * jumps or waits would leave the lock held. Afterwards the thread's signal mask is as before.
 */
#include "team.h"

#include <dlfcn.h>
#include <signal.h>

static bool is_watched;
static int locks, unlocks;
static int open_calls; /* calls that a handler could have interrupted */

static bool is_blocked(int signal)
{
	sigset_t now;

	assert_ok(pthread_sigmask(SIG_BLOCK, NULL, &now));
	return sigismember(&now, signal) == 1;
}

static void watch(int *calls)
{
	if (!is_watched)
		return;
	++*calls;
	open_calls += !is_blocked(SIGUSR1);
}

static int call_next(const char *name, pthread_mutex_t *mutex)
{
	int (*next)(pthread_mutex_t *);

	*(void **)&next = dlsym(RTLD_NEXT, name);
	return next(mutex);
}

/* The library calls these instead of the C library's functions. */
int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	watch(&locks);
	return call_next("pthread_mutex_lock", mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	watch(&unlocks);
	return call_next("pthread_mutex_unlock", mutex);
}

static void expect_as_before(void)
{
	assert_false(is_blocked(SIGUSR1));
	assert_true(is_blocked(SIGUSR2));
	assert_int_equal(locks, unlocks);
	assert_int_equal(open_calls, 0);
}

static void signals_are_blocked_while_the_lock_is_held(void **state)
{
	sigset_t own;

	(void)state;
	sigemptyset(&own);
	sigaddset(&own, SIGUSR2);
	assert_ok(pthread_sigmask(SIG_BLOCK, &own, NULL));
	is_watched = true;
	assert_ok(plf_attach(LOW, 0, 0));
	expect_as_before();
	assert_ok(plf_detach());
	expect_as_before();
	is_watched = false;
	assert_true(locks > 1); /* by attach and detach */
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(signals_are_blocked_while_the_lock_is_held),
	};

	return cmocka_run_group_tests_name("signals of the registry", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
