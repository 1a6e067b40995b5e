/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * After each instruction of plf_mutex_setceiling(), a more urgent thread wants the mutex. It gets
 * the mutex, at the latest when the ceiling is changed, and no death is reported. And after each
 * instruction of plf_mutex_lock(), a thread changes the ceiling. The locker holds the mutex in the
 * end.
 */
#include "each_instruction.h"
#include "team.h"

#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum { STEPS_LEAST = 20, STEPS_MOST = 10000 };

static plf_mutex_t mutex;
static sem_t wanted, had; /* not plf_sem_t: its hook would wait for the section, too */
static volatile int steps, arrival;
static volatile bool is_over;

static void want_it(void *unused)
{
	(void)unused;
	for (;;) {
		assert_ok(sem_wait(&wanted));
		if (is_over)
			return;
		assert_ok(plf_mutex_lock(&mutex));
		assert_ok(plf_mutex_unlock(&mutex));
		assert_ok(sem_post(&had));
	}
}

static void on_step(int number)
{
	(void)number;
	if (steps++ == arrival)
		sem_post(&wanted);
}

/* False: the call was over before the thread came. */
static bool change_and_arrive_behind(int step)
{
	int error;

	steps = 0;
	arrival = step;
	trap_each_instruction();
	error = plf_mutex_setceiling(&mutex, 60, NULL);
	trap_no_more();
	assert_ok(error);
	if (steps <= step)
		return false;
	assert_ok(sem_wait(&had));
	return true;
}

static void a_comer_at_each_step_gets_the_mutex(void **state)
{
	const struct sigaction action = { .sa_handler = on_step };
	struct member comer;
	int step = 0;

	(void)state;
	assert_ok(plf_mutex_init(&mutex, 60));
	assert_ok(sem_init(&wanted, 0, 0));
	assert_ok(sem_init(&had, 0, 0));
	assert_ok(sigaction(SIGTRAP, &action, NULL));
	start(&comer, 50, want_it, NULL);
	while (change_and_arrive_behind(step))
		step++;
	assert_in_range(step, STEPS_LEAST, STEPS_MOST);
	is_over = true;
	assert_ok(sem_post(&wanted));
	join(&comer);
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void change_it(void *unused)
{
	int ceiling = 60, error;

	(void)unused;
	for (;;) {
		assert_ok(sem_wait(&wanted));
		if (is_over)
			return;
		ceiling ^= 1;
		error = plf_mutex_setceiling(&mutex, ceiling, NULL);
		assert_true(error == 0 || error == EBUSY);
		assert_ok(sem_post(&had));
	}
}

/* False: the call was over before the ceiling was changed. */
static bool lock_and_have_it_changed_behind(int step)
{
	int error;

	steps = 0;
	arrival = step;
	trap_each_instruction();
	error = plf_mutex_lock(&mutex);
	trap_no_more();
	assert_ok(error);
	assert_int_equal(plf_mutex_destroy(&mutex), EBUSY);
	assert_ok(plf_mutex_unlock(&mutex));
	if (steps <= step)
		return false;
	assert_ok(sem_wait(&had));
	return true;
}

static void a_locker_holds_it_whenever_the_ceiling_is_changed(void **state)
{
	const struct sigaction action = { .sa_handler = on_step };
	struct member changer;
	int step = 0;

	(void)state;
	is_over = false;
	assert_ok(plf_mutex_init(&mutex, 60));
	assert_ok(sem_init(&wanted, 0, 0));
	assert_ok(sem_init(&had, 0, 0));
	assert_ok(sigaction(SIGTRAP, &action, NULL));
	start(&changer, 50, change_it, NULL);
	while (lock_and_have_it_changed_behind(step))
		step++;
	assert_in_range(step, 5, STEPS_MOST);
	is_over = true;
	assert_ok(sem_post(&wanted));
	join(&changer);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_comer_at_each_step_gets_the_mutex),
		team_test(a_locker_holds_it_whenever_the_ceiling_is_changed),
	};

	return cmocka_run_group_tests_name("ceiling in steps", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
