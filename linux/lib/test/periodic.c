/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * plf_sleep_until() and the periodic wait: they are on time, count each missed release, and lose
 * nothing to a signal.
 */
#include "team.h"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

enum { MS = 1000000 };

static volatile sig_atomic_t signals;
static uint64_t stopped_ns; /* the clock stands here; 0: it runs */

/* Replaces the library's function, also for its own calls. */
uint64_t plf_now(void)
{
	uint64_t (*next)(void) = NULL;

	*(void **)&next = dlsym(RTLD_NEXT, "plf_now");
	return stopped_ns != 0 ? stopped_ns : next();
}

static void count_signal(int number)
{
	(void)number;
	signals++;
}

static void sleep_ends_in_time(void **state)
{
	uint64_t until = plf_now() + 5 * MS;

	(void)state;
	assert_ok(plf_sleep_until(until));
	assert_true(plf_now() >= until);
	errno = 77;
	assert_ok(plf_sleep_until(1)); /* long past */
	assert_int_equal(errno, 77);
}

static void wait_unattached(void *unused)
{
	struct plf_periodic periodic;

	(void)unused;
	assert_int_equal(plf_sleep_until(1), EPERM);
	assert_ok(plf_periodic_init(&periodic, 1, MS));
	assert_int_equal(plf_periodic_wait(&periodic), EPERM);
}

static void unattached_is_eperm(void **state)
{
	struct member stranger;

	(void)state;
	start_stranger(&stranger, 20, wait_unattached, NULL);
	join(&stranger);
}

static void releases_follow_the_period(void **state)
{
	struct plf_periodic periodic;
	uint64_t first = plf_now() + 10 * MS;

	(void)state;
	assert_int_equal(plf_periodic_init(&periodic, first, 0), EINVAL);
	assert_ok(plf_periodic_init(&periodic, first, 20 * MS));
	for (uint64_t i = 0; i < 5; i++) {
		assert_ok(plf_periodic_wait(&periodic));
		assert_true(plf_now() >= first + i * 20 * MS);
		assert_int_equal(periodic.next_ns, first + (i + 1 + periodic.missed) * 20 * MS);
	}
}

static void missed_releases_are_counted_and_skipped(void **state)
{
	struct plf_periodic periodic;
	uint64_t first = plf_now() - 1400 * MS;

	(void)state;
	assert_ok(plf_periodic_init(&periodic, first, 400 * MS));
	assert_ok(plf_periodic_wait(&periodic)); /* 0, 400, 800 and 1200 ms are over */
	assert_int_equal(periodic.missed, 4);
	assert_true(plf_now() >= first + 1600 * MS);
	assert_int_equal(periodic.next_ns, first + 2000 * MS);
}

static void release_of_this_very_moment_is_not_missed(void **state)
{
	struct plf_periodic periodic;
	uint64_t now = plf_now();

	(void)state;
	assert_ok(plf_periodic_init(&periodic, now, MS));
	stopped_ns = now;
	assert_ok(plf_periodic_wait(&periodic));
	stopped_ns = 0;
	assert_int_equal(periodic.missed, 0);
	assert_int_equal(periodic.next_ns, now + MS);
}

static void interrupt(void *thread)
{
	do {
		sleep_ms(1);
	} while (!is_asleep(getpid()));
	assert_ok(pthread_kill(*(pthread_t *)thread, SIGUSR1));
}

/*
 * A signal comes while main waits for a release after delay_ns, or twice that, and so on: a machine
 * may be too slow to send it in time. Returns when the release is due.
 */
static uint64_t be_interrupted(struct plf_periodic *periodic, uint64_t delay_ns, uint64_t period_ns)
{
	struct sigaction action = { .sa_handler = count_signal };
	pthread_t self = pthread_self();

	assert_ok(sigaction(SIGUSR1, &action, NULL));
	for (;; delay_ns *= 2) {
		struct member interrupter;
		uint64_t first = plf_now() + delay_ns;
		int error;

		signals = 0;
		assert_ok(plf_periodic_init(periodic, first, period_ns));
		start_stranger(&interrupter, 20, interrupt, &self);
		error = plf_periodic_wait(periodic);
		assert_true(error == EINTR || plf_now() >= first);
		if (error == EINTR && plf_now() < first) {
			assert_int_equal(signals, 1);
			join(&interrupter);
			return first;
		}
		join(&interrupter);
	}
}

static void signal_is_eintr_and_loses_nothing(void **state)
{
	struct plf_periodic periodic;
	uint64_t first = be_interrupted(&periodic, 20 * MS, 3600 * 1000ull * MS);

	(void)state;
	assert_ok(plf_periodic_wait(&periodic));
	assert_true(plf_now() >= first);
	assert_int_equal(periodic.missed, 0);
}

/* Main is late for its release when it goes on, but it waited for it in time. */
static void release_interrupted_and_late_is_not_missed(void **state)
{
	struct plf_periodic periodic;
	uint64_t first = be_interrupted(&periodic, 20 * MS, MS);

	(void)state;
	assert_ok(plf_sleep_until(first + 10 * MS));
	assert_ok(plf_periodic_wait(&periodic));
	assert_int_equal(periodic.missed, 0);
	assert_int_equal(periodic.next_ns, first + MS);
	assert_ok(plf_periodic_wait(&periodic)); /* later releases are missed */
	assert_true(periodic.missed > 0);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(sleep_ends_in_time),
		team_test(unattached_is_eperm),
		team_test(releases_follow_the_period),
		team_test(missed_releases_are_counted_and_skipped),
		team_test(release_of_this_very_moment_is_not_missed),
		team_test(release_interrupted_and_late_is_not_missed),
		team_test(signal_is_eintr_and_loses_nothing),
	};

	return cmocka_run_group_tests_name("periodic", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
