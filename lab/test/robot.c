/* SPDX-License-Identifier: MIT */
/*
 * A usual real-time program, without ceilings. Two threads share a mutex with inheritance. A third
 * thread shares a second mutex with one of them, which takes it inside the first.
 *
 * usage: robot [ROUNDS]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	LONGEST_S = 20, /* the watchdog: SIGALRM ends it */
	MS = 1000000,
};

struct job {
	const char *name;
	int priority, period_ms;
	void (*work)(void);
};

static pthread_mutex_t state, journal;
static volatile long position, lines;
static long rounds = 50;

static void inherit(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

static void move(void)
{
	pthread_mutex_lock(&state);
	position++;
	pthread_mutex_unlock(&state);
}

static void plan(void)
{
	pthread_mutex_lock(&state);
	for (int i = 0; i < 20000; i++)
		position++;
	pthread_mutex_lock(&journal);
	lines++;
	pthread_mutex_unlock(&journal);
	pthread_mutex_unlock(&state);
}

static void log_lines(void)
{
	pthread_mutex_lock(&journal);
	for (int i = 0; i < 50000; i++)
		lines++;
	pthread_mutex_unlock(&journal);
}

static void *run(void *argument)
{
	const struct job *job = argument;
	struct timespec next;

	pthread_setname_np(pthread_self(), job->name);
	clock_gettime(CLOCK_MONOTONIC, &next);
	for (long i = 0; i < rounds; i++) {
		next.tv_nsec += job->period_ms * MS;
		next.tv_sec += next.tv_nsec / (1000 * MS);
		next.tv_nsec %= 1000 * MS;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		job->work();
	}
	return NULL;
}

static int start(struct job *job, pthread_t *thread)
{
	struct sched_param param = { .sched_priority = job->priority };
	pthread_attr_t attributes;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &param);
	error = pthread_create(thread, &attributes, run, job);
	pthread_attr_destroy(&attributes);
	return error;
}

int main(int argc, char **argv)
{
	struct job jobs[] = {
		{ "control", 30, 2, move },
		{ "plan", 20, 5, plan },
		{ "log", 10, 7, log_lines },
	};
	pthread_t threads[3];

	alarm(LONGEST_S);
	if (argc > 1)
		rounds = strtol(argv[1], NULL, 10);
	inherit(&state);
	inherit(&journal);
	for (int i = 0; i < 3; i++) {
		if (start(&jobs[i], &threads[i]) != 0) {
			fputs("robot: no privilege for SCHED_FIFO\n", stderr);
			return 2;
		}
	}
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("%ld rounds\n", rounds);
	return 7;
}
