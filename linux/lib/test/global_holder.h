/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_GLOBAL_HOLDER_H
#define PLF_TEST_GLOBAL_HOLDER_H

/*
 * A mutex across CPUs, threads that hold it until they may go, or die inside, and two threads that
 * lock it after that. For tests of holders that are gone.
 */
#include "team.h"

#include <plafond/slow.h>

#include <semaphore.h>

static plf_mutex_t mutex;
static sem_t held, go;

/* Setup: a free mutex, and main attached. */
static inline int setup(void **state)
{
	plf_mutex_init_global(&mutex);
	assert_ok(sem_init(&held, 0, 0));
	assert_ok(sem_init(&go, 0, 0));
	return attach_main(state);
}

static void (*end)(void); /* how a holder dies */

static inline void return_inside(void)
{
}

static inline void vanish_inside(void)
{
	vanish();
}

static inline void hold_and_die(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_wait(&go);
	end();
}

static inline void hold_and_leave(void *unused)
{
	(void)unused;
	assert_ok(plf_mutex_lock(&mutex));
	sem_post(&held);
	sem_wait(&go);
	assert_ok(plf_mutex_unlock(&mutex));
}

static inline void repair(void *letter)
{
	assert_int_equal(plf_mutex_lock(&mutex), EOWNERDEAD);
	note(*(const char *)letter);
	assert_ok(plf_mutex_consistent(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
}

static inline void go_on(void *letter)
{
	assert_ok(plf_mutex_lock(&mutex));
	note(*(const char *)letter);
	assert_ok(plf_mutex_unlock(&mutex));
}

/*
 * The result of `lock` for main, after a waiter was granted the mutex and died. If no thread waits
 * behind the holder any more, the kernel's flag stays in the word.
 */
static inline int granted_and_dead(int (*lock)(plf_mutex_t *))
{
	struct member holder, victim;
	int error;

	start_on(&holder, 0, 20, hold_and_leave, NULL);
	sem_wait(&held);
	start_on(&victim, 1, 21, hold_and_die, NULL);
	await_asleep(&victim);
	sem_post(&go);
	join(&holder);
	sem_wait(&held);
	sem_post(&go);
	join(&victim);
	error = lock(&mutex);
	assert_ok(plf_mutex_consistent(&mutex));
	assert_ok(plf_mutex_unlock(&mutex));
	return error;
}

#endif
