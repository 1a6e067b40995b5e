/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * With backend `syscall`, a thread of another CPU takes the mutex after each instruction of
 * plf_mutex_lock(), and keeps it until the locker sleeps. The locker has the mutex in the end.
 */
#include "each_instruction.h"
#include "team.h"

#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum { STEPS_LEAST = 5, STEPS_MOST = 10000 };

static plf_mutex_t mutex;
static sem_t wanted, tried;
static volatile int steps, arrival, main_tid;
static volatile bool is_over, main_goes_on;

static void keep_it_until_main_sleeps(void)
{
	while (!main_goes_on || !is_asleep(main_tid))
		sleep_ms(1);
	assert_ok(plf_mutex_unlock(&mutex));
}

static void try_it(void *unused)
{
	(void)unused;
	for (;;) {
		int error;

		assert_ok(sem_wait(&wanted));
		if (is_over)
			return;
		error = plf_mutex_trylock(&mutex);
		assert_true(error == 0 || error == EBUSY);
		assert_ok(sem_post(&tried));
		if (error == 0)
			keep_it_until_main_sleeps();
	}
}

static void on_step(int number)
{
	(void)number;
	if (steps++ != arrival)
		return;
	sem_post(&wanted);
	sem_wait(&tried);
	main_goes_on = true;
}

/* False: the call was over before the other thread came. */
static bool lock_and_arrive_behind(int step)
{
	int error;

	steps = 0;
	arrival = step;
	main_goes_on = false;
	trap_each_instruction();
	error = plf_mutex_lock(&mutex);
	trap_no_more();
	assert_ok(error);
	assert_ok(plf_mutex_unlock(&mutex));
	return steps > step;
}

static void a_locker_has_it_whenever_another_one_comes(void **state)
{
	const struct sigaction action = { .sa_handler = on_step };
	struct member other;
	int step = 0;

	(void)state;
	main_tid = gettid();
	assert_ok(plf_mutex_init(&mutex, 60));
	assert_ok(sem_init(&wanted, 0, 0));
	assert_ok(sem_init(&tried, 0, 0));
	assert_ok(sigaction(SIGTRAP, &action, NULL));
	start_on(&other, 1, 20, try_it, NULL);
	while (lock_and_arrive_behind(step))
		step++;
	assert_in_range(step, STEPS_LEAST, STEPS_MOST);
	is_over = true;
	assert_ok(sem_post(&wanted));
	join(&other);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(a_locker_has_it_whenever_another_one_comes),
	};

	return cmocka_run_group_tests_name("eager in steps", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
