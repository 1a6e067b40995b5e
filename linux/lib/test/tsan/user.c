/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * A user's program under ThreadSanitizer, with a library that is not instrumented. Threads share
 * plain data under a mutex, a condition variable and semaphores; the run must be quiet. With the
 * argument `race`, one thread does without the mutex; then the run must not be quiet.
 */
#include "../../../real_time/test/patience.h"

#include <plafond.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, ROUNDS = 300, CEILING = 40, MS = 1000000 };

static plf_mutex_t mutex = PLF_MUTEX_INITIALIZER(CEILING);
static plf_mutex_t inner = PLF_MUTEX_RECURSIVE_INITIALIZER(CEILING);
static plf_cond_t cond = PLF_COND_INITIALIZER;
static plf_sem_t handed_over, taken;
static long counter, nested, parcel, turn;
static unsigned flags;
static bool race;

static void must(int error, const char *what)
{
	if (error == 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(error));
	exit(2);
}

#define MUST(call) must(call, #call)

static void count(void)
{
	MUST(plf_mutex_lock(&mutex));
	counter++;
	MUST(plf_mutex_lock(&inner));
	MUST(plf_mutex_lock(&inner));
	MUST(plf_mutex_unlock(&inner));
	nested++;
	MUST(plf_mutex_unlock(&inner));
	MUST(plf_mutex_unlock(&mutex));
}

static void try_to_count(void)
{
	if (plf_mutex_trylock(&mutex) != 0)
		return;
	counter++;
	MUST(plf_mutex_unlock(&mutex));
}

static void count_in_time(void)
{
	if (plf_mutex_timedlock(&mutex, plf_now() + MS) != 0)
		return;
	counter++;
	MUST(plf_mutex_unlock(&mutex));
}

/* Take turns, one thread after the other. Sometimes the time is over first. */
static void take_turn(long me)
{
	MUST(plf_mutex_lock(&mutex));
	while (turn % THREADS != me) {
		int error = plf_cond_timedwait(&cond, &mutex, plf_now() + MS);

		if (error != ETIMEDOUT)
			must(error, "plf_cond_timedwait");
	}
	turn++;
	MUST(plf_cond_broadcast(&cond));
	MUST(plf_mutex_unlock(&mutex));
}

static void *work(void *number)
{
	long me = (long)number;

	MUST(plf_attach(10 + (int)me, 0, flags));
	for (int i = 0; i < ROUNDS; i++) {
		count();
		try_to_count();
		count_in_time();
		take_turn(me);
		if (race && me == 0)
			counter++;
		MUST(plf_sleep_until(plf_now() + 1000));
	}
	return NULL;
}

/* Only the order of the semaphores protects the parcel. */
static void *give(void *unused)
{
	(void)unused;
	MUST(plf_attach(20, 0, flags));
	for (int i = 0; i < ROUNDS; i++) {
		parcel++;
		MUST(plf_sem_post(&handed_over));
		MUST(plf_sem_wait(&taken));
	}
	return NULL;
}

static void *take(void *unused)
{
	(void)unused;
	MUST(plf_attach(21, 0, flags));
	for (int i = 0; i < ROUNDS; i++) {
		if (i % 2)
			MUST(plf_sem_timedwait(&handed_over,
					       plf_now() + PLF_HUNG_S * UINT64_C(1000) * MS));
		else
			MUST(plf_sem_wait(&handed_over));
		parcel++;
		MUST(plf_sem_post(&taken));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS + 2];

	for (int i = 1; i < argc; i++) {
		race |= strcmp(argv[i], "race") == 0;
		flags |= strcmp(argv[i], "syscall") == 0 ? PLF_BACKEND_SYSCALL : 0;
	}
	if (plf_attach(10, 0, flags) == EPERM) {
		fprintf(stderr, "SCHED_FIFO is denied: give RLIMIT_RTPRIO or CAP_SYS_NICE\n");
		return 1;
	}
	MUST(plf_sem_init(&handed_over, 0));
	MUST(plf_sem_init(&taken, 0));
	for (long i = 0; i < THREADS; i++)
		MUST(pthread_create(&thread[i], NULL, work, (void *)i));
	MUST(pthread_create(&thread[THREADS], NULL, give, NULL));
	MUST(pthread_create(&thread[THREADS + 1], NULL, take, NULL));
	for (int i = 0; i < THREADS + 2; i++)
		MUST(pthread_join(thread[i], NULL));
	printf("%s: %ld turns, parcel %ld\n", plf_backend(), turn, parcel);
	return turn == THREADS * ROUNDS && parcel == 2L * ROUNDS ? 0 : 2;
}
