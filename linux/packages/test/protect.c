/* SPDX-License-Identifier: MIT */

/* A program that knows pthreads alone: sections of a priority-protect mutex, by a pinned thread. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { SECTIONS = 1000, PRIORITY = 10, CEILING = 20 };

static void check(int error, const char *what)
{
	if (error != 0) {
		fprintf(stderr, "%s: error %d\n", what, error);
		exit(1);
	}
}

int main(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t lock;
	struct sched_param priority = { .sched_priority = PRIORITY };
	cpu_set_t first;
	int sections = 0;

	CPU_ZERO(&first);
	CPU_SET((size_t)sched_getcpu(), &first);
	check(pthread_setaffinity_np(pthread_self(), sizeof(first), &first), "affinity");
	check(pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority), "priority");
	check(pthread_mutexattr_init(&attributes), "attributes");
	check(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT), "protocol");
	check(pthread_mutexattr_setprioceiling(&attributes, CEILING), "ceiling");
	check(pthread_mutex_init(&lock, &attributes), "mutex");
	for (; sections < SECTIONS; sections++) {
		check(pthread_mutex_lock(&lock), "lock");
		check(pthread_mutex_unlock(&lock), "unlock");
	}
	printf("%d sections\n", sections);
	return 0;
}
