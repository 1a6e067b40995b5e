/* SPDX-License-Identifier: MIT */
/*
 * A program that makes and locks mutexes, and starts a thread, before any constructor runs, also
 * before the drop-in's. Everything must work as it does later.
 */
#define _GNU_SOURCE
#include "../../../real_time/test/patience.h"

#include <pthread.h>

static pthread_mutex_t plain, with_ceiling;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int failures, threads;

static void *run(void *unused)
{
	failures += pthread_mutex_lock(&plain) != 0;
	threads++;
	failures += pthread_cond_signal(&cond) != 0;
	failures += pthread_mutex_unlock(&plain) != 0;
	return unused;
}

static void make(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
	failures += pthread_mutex_init(&with_ceiling, &attr) != 0;
	failures += pthread_mutex_init(&plain, NULL) != 0;
}

static void use(void)
{
	pthread_t thread;

	failures += pthread_mutex_trylock(&plain) != 0;
	failures += pthread_create(&thread, NULL, run, NULL) != 0;
	while (threads == 0)
		failures += pthread_cond_wait(&cond, &plain) != 0;
	failures += pthread_mutex_unlock(&plain) != 0;
	failures += pthread_join(thread, NULL) != 0;
	threads = 0;
}

static void be_early(void)
{
	plf_end_if_hung();
	make();
	use();
}

__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = be_early;

int main(void)
{
	use();
	failures += pthread_mutex_destroy(&plain) != 0;
	failures += pthread_mutex_destroy(&with_ceiling) != 0;
	return failures;
}
