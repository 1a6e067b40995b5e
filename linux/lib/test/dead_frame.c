/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * Robust: a dead thread's frame lies in the middle of the stack, under the frame of a thread that
 * sleeps in its section. A covered thread waits only for the living thread, and finds both mutexes
 * as they were left.
 */
#include "team.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { LOOKS = 500 };

static plf_mutex_t lower, middle, upper;
static sem_t go;
static struct member sleeper;
static bool slept;

static int setup(void **state)
{
	assert_ok(sem_init(&go, 0, 0));
	assert_ok(plf_mutex_init(&lower, 15));
	assert_ok(plf_mutex_init(&middle, 25));
	assert_ok(plf_mutex_init(&upper, 35));
	return attach_main(state);
}

static void sleep_on_top(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&upper));
	note('s');
	assert_ok(sem_wait(&go));
	note('w');
	assert_ok(plf_mutex_unlock(&upper));
}

static void die_below(void *raw)
{
	assert_ok(plf_mutex_lock(&middle));
	start(&sleeper, 30, sleep_on_top, NULL);
	note('d');
	if (raw != NULL)
		vanish();
}

/* The kernel's state of a thread. R: it runs or is ready; S: it sleeps. */
static char kernel_state(int tid)
{
	char path[64], text[512];
	ssize_t length;
	int file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0);
	length = read(file, text, sizeof(text) - 1);
	close(file);
	assert_true(length > 0);
	text[length] = '\0';
	return strrchr(text, ')')[2];
}

/*
 * A thread that waits for the dead thread never sleeps. Time would not show that, because other
 * threads may take the CPU.
 */
static void wake_sleeper(void *covered)
{
	for (int i = 0; i < LOOKS && !slept; i++) {
		sleep_ms(1);
		slept = kernel_state(*(int *)covered) == 'S';
	}
	note('p');
	assert_ok(sem_post(&go));
}

/* Unless it vanishes, the dying thread below closes its section in order, if it still can. */
static void death_under_a_sleeper(bool raw)
{
	struct member victim, waker;
	int self = gettid();

	slept = false;
	assert_ok(plf_mutex_lock(&lower));
	start(&victim, 20, die_below, raw ? &victim : NULL);
	start_stranger(&waker, 50, wake_sleeper, &self);
	assert_ok(plf_mutex_unlock(&lower)); /* main's frame is under both */
	assert_true(slept);
	note('l');
	assert_int_equal(plf_mutex_lock(&middle), EOWNERDEAD);
	assert_ok(plf_mutex_consistent(&middle));
	assert_ok(plf_mutex_unlock(&middle));
	assert_ok(plf_mutex_lock(&upper));
	assert_ok(plf_mutex_unlock(&upper));
	join(&victim);
	join(&sleeper);
	join(&waker);
	assert_string_equal(notes(), "sdpwl");
	assert_int_equal(kernel_priority(gettid()), LOW);
}

static void raw_exit_under_a_sleeper(void **state)
{
	(void)state;
	death_under_a_sleeper(true);
}

static void return_under_a_sleeper(void **state)
{
	(void)state;
	death_under_a_sleeper(false);
}

static void die_in_upper(void *raw)
{
	assert_ok(plf_mutex_lock(&upper));
	if (raw != NULL)
		vanish();
}

/* Three dead threads' frames, on top of each other. */
static void a_stack_of_dead(void **state)
{
	struct member first, second;

	assert_ok(plf_mutex_lock(&lower));
	start(&first, 20, die_below, state);
	start(&second, 33, die_in_upper, state); /* covered until the sleeper ends */
	assert_ok(sem_post(&go));
	assert_ok(plf_mutex_unlock(&lower));
	assert_int_equal(plf_mutex_lock(&middle), EOWNERDEAD);
	assert_int_equal(plf_mutex_lock(&upper), EOWNERDEAD);
	assert_ok(plf_mutex_unlock(&upper));
	assert_ok(plf_mutex_unlock(&middle));
	join(&first);
	join(&second);
	join(&sleeper);
	assert_int_equal(plf_mutex_lock(&upper), ENOTRECOVERABLE);
	assert_ok(plf_mutex_lock(&lower));
	assert_ok(plf_mutex_unlock(&lower));
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test_setup_teardown(raw_exit_under_a_sleeper, setup, detach_main),
		cmocka_unit_test_setup_teardown(return_under_a_sleeper, setup, detach_main),
		cmocka_unit_test_setup_teardown(a_stack_of_dead, setup, detach_main),
	};

	return cmocka_run_group_tests_name("dead frame", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
