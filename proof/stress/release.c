/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "member.h"

#include "random.h"

enum {
	PERIOD_US_MIN = 200,
	PERIOD_US_MAX = 5000,
	JOBS_AHEAD = 4,
	NS_PER_US = 1000,
	NS_PER_S = 1000000000,
};

static bool hooked(void)
{
	return (crowd.faults & FAULT_NO_HOOK) == 0;
}

/*
 * A sleep that the library does not know, and the hook after it. The oracle takes the member for
 * awake before the member asks the protocol. The control omits the hook.
 */
static int sleep_raw(struct member *self)
{
	struct timespec until = { .tv_sec = (time_t)(self->next_ns / NS_PER_S),
				  .tv_nsec = (long)(self->next_ns % NS_PER_S) };
	int error;

	do
		error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	while (error == EINTR);
	note_awake(&self->notes);
	return error == 0 && hooked() ? plf_wake_hook() : error;
}

/* A release is skipped if the member is still at work, but never while the member waits for it. */
static int sleep_periodic(struct member *self, uint64_t period_ns)
{
	struct plf_periodic periodic;
	int error = plf_periodic_init(&periodic, self->next_ns, period_ns);
	uint64_t missed;

	if (error != 0)
		return error;
	error = plf_periodic_wait(&periodic);
	missed = periodic.missed;
	while (error == EINTR)
		error = plf_periodic_wait(&periodic);
	note_awake(&self->notes);
	self->next_ns = periodic.next_ns - period_ns;
	if (periodic.missed != missed)
		found(FOUND_LOST, "a release lost to a signal", (int)self->notes.index);
	return error;
}

static void wait_for_time(struct member *self)
{
	uint64_t period_ns =
		random_between(&self->random, PERIOD_US_MIN, PERIOD_US_MAX) * NS_PER_US;
	uint64_t now_ns = plf_now();
	int error;

	/* A late thread is not released twice at once, so that the load stays the same. */
	self->next_ns += period_ns;
	if (self->next_ns <= now_ns)
		self->next_ns = now_ns + PERIOD_US_MIN * NS_PER_US;
	if (!hooked() || one_in(&self->random, 2))
		error = sleep_raw(self);
	else
		error = sleep_periodic(self, period_ns);
	if (error != 0)
		found(FOUND_REFUSED, "sleep", error);
	else if (plf_now() < self->next_ns)
		found(FOUND_LOST, "woken before the release", (int)self->notes.index);
}

static void wait_for_job(struct member *self)
{
	int error;

	do
		error = plf_sem_wait(&crowd.jobs);
	while (error == EINTR);
	note_awake(&self->notes);
	if (error != 0)
		found(FOUND_REFUSED, "semaphore", error);
	else
		crowd.taken++;
}

static int wait_in_condition(struct member *self)
{
	unsigned us = random_between(&self->random, PERIOD_US_MIN, PERIOD_US_MAX);

	if (one_in(&self->random, 2))
		return plf_cond_wait(&crowd.event, &crowd.event_lock);
	return plf_cond_timedwait(&crowd.event, &crowd.event_lock, plf_now() + us * NS_PER_US);
}

/* For the oracle it sleeps all the time, because none of its own code runs between its
 * suspensions. */
static void wait_for_event(struct member *self)
{
	int error = plf_mutex_lock(&crowd.event_lock);

	while (error == 0 && crowd.produced == crowd.consumed) {
		error = wait_in_condition(self);
		error = error == ETIMEDOUT ? 0 : error;
	}
	if (error != 0)
		found(FOUND_REFUSED, "condition", error);
	else
		crowd.consumed++;
	error = plf_mutex_unlock(&crowd.event_lock);
	if (error != 0)
		found(FOUND_REFUSED, "unlock after condition", error);
	note_awake(&self->notes);
}

bool wait_for_release(struct member *self)
{
	note_asleep(&self->notes);
	if (self->role == BY_TIME)
		wait_for_time(self);
	else if (self->role == BY_SEMAPHORE)
		wait_for_job(self);
	else
		wait_for_event(self);
	return !crowd.stop;
}

void post_job(void)
{
	if (__atomic_load_n(&crowd.posted, __ATOMIC_RELAXED) -
		    __atomic_load_n(&crowd.taken, __ATOMIC_RELAXED) >
	    JOBS_AHEAD)
		return;
	__atomic_fetch_add(&crowd.posted, 1, __ATOMIC_RELAXED);
	if (plf_sem_post(&crowd.jobs) != 0)
		found(FOUND_REFUSED, "post", 0);
}

/* Note the condition's own section, too. It has the highest ceiling of all. */
void signal_event(struct member *self)
{
	int outer = note_entering(&self->notes, PLF_PRIORITY_MAX);
	int error = plf_mutex_lock(&crowd.event_lock);

	if (error == 0 && crowd.produced - crowd.consumed < JOBS_AHEAD)
		crowd.produced++;
	if (error == 0 && one_in(&self->random, 4))
		error = plf_cond_broadcast(&crowd.event);
	else if (error == 0)
		error = plf_cond_signal(&crowd.event);
	if (error == 0)
		error = plf_mutex_unlock(&crowd.event_lock);
	if (error != 0)
		found(FOUND_REFUSED, "signal", error);
	note_left(&self->notes, outer);
}
