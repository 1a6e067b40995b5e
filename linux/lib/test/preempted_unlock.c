/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Robust: at any instruction of its unlock, a thread is preempted by a thread that enters a section
 * and sleeps in it. Exclusion must still hold: no thread of the CPU may take the sleeper's mutex.
 * After the unlock, the unlocked mutex is free.
 */
#include "team.h"

#include <time.h>
#include <unistd.h>

enum { ROUNDS = 2000, SLEEP_NS = 30000, HIGH = 20 };

static plf_mutex_t low_mutex = PLF_MUTEX_INITIALIZER(15);
static plf_mutex_t high_mutex = PLF_MUTEX_INITIALIZER(25);
static volatile bool inside, finished;

static void nap(long ns)
{
	struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL);
}

static void sleep_in_sections(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		nap(SLEEP_NS + i); /* moves along main's instructions */
		assert_ok(plf_mutex_lock(&high_mutex));
		inside = true;
		nap(SLEEP_NS);
		inside = false;
		assert_ok(plf_mutex_unlock(&high_mutex));
	}
	finished = true;
}

static void exclusion_survives_sleep_in_a_section(void **state)
{
	struct member high;

	(void)state;
	start(&high, HIGH, sleep_in_sections, NULL);
	while (!finished) {
		for (int i = 0; i < 100; i++) {
			assert_ok(plf_mutex_lock(&low_mutex));
			assert_ok(plf_mutex_unlock(&low_mutex));
		}
		assert_ok(plf_mutex_lock(&high_mutex));
		assert_false(inside);
		assert_ok(plf_mutex_unlock(&high_mutex));
	}
	join(&high);
}

static void come_covered(void *unused)
{
	(void)unused;
}

/*
 * Stay inside until main sleeps: in its unlock, if this section covers main, or else in its join.
 */
static void sleep_in_a_section(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&high_mutex));
	do {
		sleep_ms(1);
	} while (!is_asleep(getpid()));
	assert_ok(plf_mutex_unlock(&high_mutex));
}

/*
 * This also holds with a thread at its section's gate. Trylock looks at the whole state of a mutex.
 */
static void a_mutex_unlocked_below_a_sleeper_is_free(void **state)
{
	struct member high, covered;

	(void)state;
	assert_ok(plf_mutex_lock(&low_mutex));
	start(&covered, LOW + 1, come_covered, NULL);
	if (on_ceiling_stack()) /* with other backends it runs when main sleeps */
		await_asleep(&covered);
	start(&high, HIGH, sleep_in_a_section, NULL);
	assert_ok(plf_mutex_unlock(&low_mutex));
	join(&covered);
	join(&high);
	assert_ok(plf_mutex_trylock(&low_mutex));
	assert_ok(plf_mutex_unlock(&low_mutex));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(exclusion_survives_sleep_in_a_section),
		team_test(a_mutex_unlocked_below_a_sleeper_is_free),
	};

	return cmocka_run_group_tests_name("preempted unlock", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
