/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A mutex across CPUs changes while another thread is about to lock it.
 *
 * After each instruction of plf_mutex_lock(), the mutex becomes not recoverable. That happens when
 * a dead holder's mutex is granted to a thread of another CPU, which unlocks it without repair. If
 * the mutex is free at that moment, the lock reports it. Or a holder on another CPU unlocks the
 * mutex after an instruction. Then the lock succeeds, and its thread is at its base priority after
 * the section.
 */
#include "each_instruction.h"
#include "team.h"

#include <plafond/global_word.h>

#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

enum { STEPS_LEAST = 20, STEPS_MOST = 10000 };

static plf_mutex_t mutex;
static volatile int steps, moment;
static volatile bool was_free;

static void on_step(int number)
{
	(void)number;
	if (steps++ != moment)
		return;
	was_free = mutex.holder == 0;
	if (was_free)
		mutex.state = PLF_MUTEX_NOT_RECOVERABLE;
}

/* False: the call was over before that step. */
static bool lock_and_spoil_behind(int step)
{
	int error;

	plf_mutex_init_global(&mutex);
	steps = 0;
	moment = step;
	was_free = false;
	trap_each_instruction();
	error = plf_mutex_lock(&mutex);
	trap_no_more();
	assert_int_equal(error, was_free ? ENOTRECOVERABLE : 0);
	if (error == 0)
		assert_ok(plf_mutex_unlock(&mutex));
	assert_true(mutex.holder == 0);
	return steps > step;
}

static void no_locker_misses_that_it_is_not_recoverable(void **state)
{
	const struct sigaction action = { .sa_handler = on_step };
	int step = 0;

	(void)state;
	assert_ok(sigaction(SIGTRAP, &action, NULL));
	plf_mutex_init_global(&mutex); /* the first lock tries the band */
	assert_ok(plf_mutex_lock(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	while (lock_and_spoil_behind(step))
		step++;
	assert_in_range(step, STEPS_LEAST, STEPS_MOST);
}

/* ---- The holder leaves ---------------------------------------------------- */

enum { WAIT_NS = 20000000 };

static uint64_t held_word;
static sem_t ready, go;

/* The thread has a place and is alive, so it may be the holder of any mutex. */
static void have_a_place(void *unused)
{
	(void)unused;
	held_word = plf_global_word(plf_self->ref, plf_self->tid);
	sem_post(&ready);
	sem_wait(&go);
}

static void free_on_step(int number)
{
	(void)number;
	if (steps++ == moment)
		mutex.holder = 0;
}

/* False: at that step the call waits in the kernel, and only its time limit ends that. */
static bool lock_and_free_behind(int step)
{
	int error;

	plf_mutex_init_global(&mutex);
	mutex.holder = held_word;
	steps = 0;
	moment = step;
	trap_each_instruction();
	error = plf_mutex_timedlock(&mutex, plf_now() + WAIT_NS);
	trap_no_more();
	if (error == 0)
		assert_ok(plf_mutex_unlock(&mutex));
	else
		assert_int_equal(error, ETIMEDOUT);
	assert_int_equal(kernel_priority(gettid()), LOW);
	return error == 0;
}

static void locker_comes_down_whenever_the_holder_leaves(void **state)
{
	const struct sigaction action = { .sa_handler = free_on_step };
	struct member holder;
	int step = 0;

	(void)state;
	assert_ok(sem_init(&ready, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	start_on(&holder, 1, 20, have_a_place, NULL);
	sem_wait(&ready);
	assert_ok(sigaction(SIGTRAP, &action, NULL));
	while (lock_and_free_behind(step))
		step++;
	assert_in_range(step, STEPS_LEAST, STEPS_MOST);
	sem_post(&go);
	join(&holder);
}

static int tests(void)
{
	const struct CMUnitTest all[] = {
		team_test(no_locker_misses_that_it_is_not_recoverable),
		team_test(locker_comes_down_whenever_the_holder_leaves),
	};

	return cmocka_run_group_tests_name("global in steps", all, NULL, NULL);
}

int main(int argc, char **argv)
{
	return supervise(argc, argv, tests);
}
