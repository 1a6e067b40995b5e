/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "call.h"
#include "stage.h"

#include <semaphore.h>
#include <threads.h>
#include <time.h>

static struct timespec deadline;
static sem_t may_end;
static pthread_t other;

static int wait_to_end(void *unused)
{
	(void)unused;
	while (sem_wait(&may_end) != 0)
		;
	return 7;
}

static void *wait_to_end_too(void *unused)
{
	wait_to_end(unused);
	return NULL;
}

static void make_deadline(void)
{
	check(clock_gettime(CLOCK_REALTIME, &deadline) == 0);
	deadline.tv_sec += 100;
	check(sem_init(&may_end, 0, 0) == 0);
}

/* The thread is as urgent as the world, which starts it. */
static void make_thread(void)
{
	make_deadline();
	check(pthread_create(&other, NULL, wait_to_end_too, NULL) == 0);
}

static void make_c11_thread(void)
{
	make_deadline();
	check(thrd_create(&other, wait_to_end, NULL) == thrd_success);
}

static void let_end(void)
{
	check(sem_post(&may_end) == 0);
}

/* If the joiner was cancelled, no thread joins this thread. */
static void clear_thread(void)
{
	check(sem_destroy(&may_end) == 0);
}

static const struct setting running = { make_thread, let_end, clear_thread };
static const struct setting running_c11 = { make_c11_thread, let_end, clear_thread };

CALL(pthread_join, running, POINT, 0, 0, pthread_join(other, NULL));
CALL(pthread_timedjoin_np, running, MAY_BE, 0, 0, pthread_timedjoin_np(other, NULL, &deadline));
CALL(pthread_clockjoin_np, running, MAY_BE, 0, 0,
     pthread_clockjoin_np(other, NULL, CLOCK_REALTIME, &deadline));

static int end;

CALL(thrd_join, running_c11, MAY_BE, 7, 0, thrd_join(other, &end) == thrd_success ? end : -1);

static pthread_barrier_t barrier;

static void make_barrier(void)
{
	check(pthread_barrier_init(&barrier, NULL, 2) == 0);
}

static int arrive(void)
{
	int result = pthread_barrier_wait(&barrier);

	return result == PTHREAD_BARRIER_SERIAL_THREAD ? 0 : result;
}

static void complete(void)
{
	check(arrive() == 0);
}

static void clear_barrier(void)
{
	check(pthread_barrier_destroy(&barrier) == 0);
}

static const struct setting one_short = { make_barrier, complete, clear_barrier };

CALL(pthread_barrier_wait, one_short, NOT_POINT, 0, 0, arrive());
