/* SPDX-License-Identifier: MIT */
#ifndef PTHREADS_H
#define PTHREADS_H

/*
 * Common parts of audio.c and executor.c: real-time threads on a single CPU, mutexes whose protocol
 * an argument names, and time. They use only pthreads, and nothing of Plafond.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { US = 1000, MS = 1000000, S = 1000000000 }; /* in nanoseconds */
enum { LONGEST_S = 20 };			  /* the watchdog: SIGALRM ends the program */

static inline void require(int error, const char *what)
{
	if (error == 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(error));
	exit(2);
}

/* Return the count in the argument: from 1 up to the number that fits in LONGEST_S. */
static inline int count_of(const char *argument)
{
	char *end;
	long count = strtol(argument, &end, 10);

	if (*end == '\0' && count >= 1 && count < LONGEST_S * 50)
		return (int)count;
	fprintf(stderr, "found the count %s; expected 1 to %d\n", argument, LONGEST_S * 50 - 1);
	exit(2);
}

/* Pin this thread, and all threads that it creates, to its current CPU. Start the watchdog. */
static inline void stay_on_one_cpu(void)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET((size_t)sched_getcpu(), &here);
	require(pthread_setaffinity_np(pthread_self(), sizeof(here), &here),
		"cannot stay on a CPU");
	alarm(LONGEST_S);
}

static inline pthread_t start(int priority, void *(*run)(void *), void *argument)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &param);
	require(pthread_create(&thread, &attributes, run, argument),
		"cannot start a SCHED_FIFO thread");
	pthread_attr_destroy(&attributes);
	return thread;
}

/* The ceiling must be the priority of the most urgent locker. Only `protect` uses it. */
static inline void make_mutex(pthread_mutex_t *mutex, const char *protocol, int ceiling)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	if (strcmp(protocol, "inherit") == 0) {
		pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	} else if (strcmp(protocol, "protect") == 0) {
		pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
		pthread_mutexattr_setprioceiling(&attributes, ceiling);
	} else if (strcmp(protocol, "none") != 0) {
		fprintf(stderr, "found the protocol %s; expected none, inherit or protect\n",
			protocol);
		exit(2);
	}
	require(pthread_mutex_init(mutex, &attributes), "cannot make a mutex");
	pthread_mutexattr_destroy(&attributes);
}

static inline int64_t ns_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * S + now.tv_nsec;
}

static inline int64_t now_ns(void)
{
	return ns_of(CLOCK_MONOTONIC);
}

static inline void sleep_until(int64_t time_ns)
{
	struct timespec time = { .tv_sec = time_ns / S, .tv_nsec = time_ns % S };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

/* Use this much processor time in place of real work. */
static inline void work(int64_t time_ns)
{
	int64_t end_ns = ns_of(CLOCK_THREAD_CPUTIME_ID) + time_ns;

	while (ns_of(CLOCK_THREAD_CPUTIME_ID) < end_ns)
		;
}

/* The lateness of the most urgent activity. */
struct lateness {
	int rounds, missed;
	int64_t worst_wait_ns; /* from a release until it had the lock */
};

static inline void note_wait(struct lateness *lateness, int64_t release_ns)
{
	int64_t wait_ns = now_ns() - release_ns;

	if (wait_ns > lateness->worst_wait_ns)
		lateness->worst_wait_ns = wait_ns;
}

static inline void note_end(struct lateness *lateness, int64_t deadline_ns)
{
	lateness->rounds++;
	if (now_ns() > deadline_ns)
		lateness->missed++;
}

static inline void print_lateness(const char *what, const struct lateness *lateness)
{
	printf("%s %d, missed %d, worst wait %lld us", what, lateness->rounds, lateness->missed,
	       (long long)(lateness->worst_wait_ns / US));
}

#endif
