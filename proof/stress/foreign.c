/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE

/*
 * Threads and mutexes that the library does not know: mutexes that inherit priorities, and a FIFO
 * thread without the hook. No ceiling prevents deadlocks of foreign mutexes. So they are locked in
 * the order OUTER, sections, INNER.
 */
#include "member.h"

#include "random.h"

#include <sched.h>

enum { NS_PER_US = 1000 };

static pthread_mutex_t foreign[FOREIGNS];

int foreign_setup(void)
{
	pthread_mutexattr_t attr;
	int error = pthread_mutexattr_init(&attr);

	if (error == 0)
		error = pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	for (int i = 0; i < FOREIGNS && error == 0; i++)
		error = pthread_mutex_init(&foreign[i], &attr);
	pthread_mutexattr_destroy(&attr);
	return error;
}

/*
 * The lock may sleep, so the hook must follow. Inside a section the hook must not follow: it could
 * wait, with INNER held, for a thread that wants INNER.
 */
void foreign_lock(struct member *self, enum foreign which)
{
	int covers = self->notes.covers;
	int error;

	self->notes.covers = 0;
	note_asleep(&self->notes);
	error = pthread_mutex_lock(&foreign[which]);
	if (error == 0 && which == FOREIGN_OUTER)
		error = plf_wake_hook();
	if (error != 0)
		found(FOUND_REFUSED, "foreign mutex or the hook after it", error);
	self->notes.lent++;
	note_awake(&self->notes);
	self->notes.covers = covers;
}

void foreign_unlock(struct member *self, enum foreign which)
{
	pthread_mutex_unlock(&foreign[which]);
	self->notes.lent--;
}

static struct {
	pthread_t thread;
	uint64_t random;
	int priority;
} stranger;

static void nap(unsigned us)
{
	struct timespec time = { .tv_nsec = us * NS_PER_US };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static void spin(unsigned us)
{
	uint64_t until = plf_now() + us * NS_PER_US;

	while (plf_now() < until)
		;
}

/* Wake up between the holder's base priority and the ceiling. Nothing else passes the ceiling. */
static void intrude(void)
{
	bool intrudes = false;

	for (unsigned i = 0; i < members_noted; i++) {
		struct notes *x = members_notes[i];

		if (x->priority >= stranger.priority || x->covers < stranger.priority)
			continue;
		x->intruded++;
		intrudes = true;
	}
	report->intrusions += intrudes;
	spin(random_between(&stranger.random, 10, 60));
}

static void use_foreign(void)
{
	enum foreign which = one_in(&stranger.random, 2) ? FOREIGN_OUTER : FOREIGN_INNER;

	pthread_mutex_lock(&foreign[which]);
	spin(random_between(&stranger.random, 5, 40));
	pthread_mutex_unlock(&foreign[which]);
}

static void *live_strangely(void *unused)
{
	(void)unused;
	while (!crowd.stop) {
		nap(INTRUDER_PERIOD_US + random_between(&stranger.random, 0, 1500));
		if ((crowd.faults & FAULT_FOREIGN) != 0)
			use_foreign();
		else
			intrude();
	}
	return NULL;
}

/* Start it on the caller's CPU, to which the caller is pinned. */
int stranger_start(int priority, uint64_t random)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_attr_t attr;
	int error = pthread_attr_init(&attr);

	if (error != 0)
		return error;
	stranger.priority = priority;
	stranger.random = random;
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &param);
	error = pthread_create(&stranger.thread, &attr, live_strangely, NULL);
	pthread_attr_destroy(&attr);
	return error;
}

void stranger_join(void)
{
	pthread_join(stranger.thread, NULL);
}
