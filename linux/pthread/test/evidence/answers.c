/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/*
 * answers: prints a line for each protocol, type and robustness, with the results of the calls by a
 * mutex's owner. They must be the same under learned ceilings.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void print(const char *call, int error)
{
	printf(" %s %s", call, error == 0 ? "0" : strerrorname_np(error));
}

/* For a normal mutex POSIX leaves a second unlock undefined. */
static void unlock(pthread_mutex_t *mutex, int type)
{
	print("unlock", pthread_mutex_unlock(mutex));
	if (type == PTHREAD_MUTEX_RECURSIVE)
		while (pthread_mutex_unlock(mutex) == 0)
			printf(" again");
	if (type != PTHREAD_MUTEX_NORMAL)
		print("unlock", pthread_mutex_unlock(mutex));
}

static void use(pthread_mutex_t *mutex, int type, bool is_robust, bool by_try)
{
	static const struct timespec past = { .tv_sec = 1 }, invalid = { .tv_nsec = -1 };
	int ceiling;

	print("lock", by_try ? pthread_mutex_trylock(mutex) : pthread_mutex_lock(mutex));
	print("trylock", pthread_mutex_trylock(mutex));
	print("timedlock", pthread_mutex_timedlock(mutex, &past));
	print("timedlock", pthread_mutex_timedlock(mutex, &invalid));
	if (type != PTHREAD_MUTEX_NORMAL)
		print("lock", pthread_mutex_lock(mutex));
	print("consistent", pthread_mutex_consistent(mutex));
	print("ceiling", pthread_mutex_getprioceiling(mutex, &ceiling));
	if (!is_robust) /* glibc would destroy a robust mutex in its owner's list */
		print("destroy", pthread_mutex_destroy(mutex));
	unlock(mutex, type);
}

static void answer(int protocol, int type, int robust)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t mutex;

	printf("%d %d %d:", protocol, type, robust);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, protocol);
	pthread_mutexattr_settype(&attr, type);
	pthread_mutexattr_setrobust(&attr, robust);
	print("init", pthread_mutex_init(&mutex, &attr));
	use(&mutex, type, robust != 0, false);
	use(&mutex, type, robust != 0, true);
	print("destroy", pthread_mutex_destroy(&mutex));
	putchar('\n');
}

int main(void)
{
	struct sched_param param = { .sched_priority = 10 };

	if (sched_setscheduler(0, SCHED_FIFO, &param) != 0)
		return 1;
	for (int protocol = PTHREAD_PRIO_NONE; protocol <= PTHREAD_PRIO_INHERIT; protocol++)
		for (int type = PTHREAD_MUTEX_NORMAL; type <= PTHREAD_MUTEX_ERRORCHECK; type++)
			for (int robust = 0; robust <= PTHREAD_MUTEX_ROBUST; robust++)
				answer(protocol, type, robust);
	return 0;
}
