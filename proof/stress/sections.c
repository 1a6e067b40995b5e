/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "member.h"

#include "random.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { WORK_US_MAX = 15, NAP_US_MAX = 250, NS_PER_US = 1000 };

static void work(struct member *self, unsigned us)
{
	uint64_t until = plf_now() + (uint64_t)us * NS_PER_US;

	do
		look(&self->notes);
	while (plf_now() < until);
}

static void some_work(struct member *self)
{
	work(self, random_between(&self->random, 0, WORK_US_MAX));
}

/* Plain loads and stores, so that a missing barrier shows like a second thread inside. */
static void touch_first(struct member *self, int which)
{
	struct guarded *g = &crowd.guarded[which];

	if (g->owner != 0 || g->first != g->second)
		found(FOUND_EXCLUSION, "two threads are in one section", which);
	g->owner = (int)self->notes.index + 1;
	g->first++;
	self->entries[which]++;
}

static void touch_last(struct member *self, int which)
{
	struct guarded *g = &crowd.guarded[which];

	g->second++;
	if (g->owner != (int)self->notes.index + 1 || g->first != g->second)
		found(FOUND_EXCLUSION, "another thread came into a section", which);
	g->owner = 0;
}

void repair(int which)
{
	struct guarded *g = &crowd.guarded[which];

	g->second = g->first;
	g->owner = 0;
	crowd.reported[which]++;
	if (plf_mutex_consistent(&crowd.lock[which]) != 0)
		found(FOUND_DEATH, "EOWNERDEAD, but not to be repaired", which);
}

/*
 * If others sleep in sections, entering and leaving may wait for a sleeper. Then the owner of the
 * outer section is asleep, too. Otherwise it never is.
 */
static int note_call(struct member *self)
{
	int covers = self->notes.covers;

	if ((crowd.faults & (FAULT_SLEEP | FAULT_FOREIGN)) != 0)
		self->notes.covers = 0;
	return covers;
}

/* Returns whether the member is inside. */
static bool enter(struct member *self, int which)
{
	bool only_try = one_in(&self->random, 8);
	plf_mutex_t *lock = &crowd.lock[which];
	int covers = note_call(self);
	int error = only_try ? plf_mutex_trylock(lock) : plf_mutex_lock(lock);

	self->notes.covers = covers;
	if (error == EOWNERDEAD)
		repair(which);
	else if (only_try && error == EBUSY)
		return false;
	else if (error != 0)
		found(FOUND_REFUSED, "lock", error);
	if (error != 0 && error != EOWNERDEAD)
		return false;
	self->held[self->depth++] = which;
	return true;
}

static void leave(struct member *self, int which)
{
	int covers = note_call(self);
	int error = plf_mutex_unlock(&crowd.lock[which]);

	self->notes.covers = covers;
	if (error != 0)
		found(FOUND_REFUSED, "unlock", error);
	self->depth--;
}

/* Sleep in the section: half the time in a call without the hook, as behind a page fault. */
static void nap(struct member *self)
{
	unsigned us = random_between(&self->random, 20, NAP_US_MAX);
	struct timespec time = { .tv_nsec = us * NS_PER_US };
	int covers = self->notes.covers;

	self->notes.covers = 0;
	note_asleep(&self->notes);
	if (one_in(&self->random, 2))
		clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
	else
		plf_sleep_until(plf_now() + (uint64_t)time.tv_nsec);
	note_awake(&self->notes);
	self->notes.covers = covers;
}

static void count_death(struct member *self)
{
	struct plf_stats stats;

	for (int i = 0; i < self->depth; i++)
		crowd.deaths[self->held[i]]++;
	if (plf_get_stats(&stats) == 0)
		self->gate_waits += stats.gate_waits;
	self->deaths++;
	self->died = true;
}

static void uncount_death(struct member *self)
{
	struct plf_stats stats;

	for (int i = 0; i < self->depth; i++)
		crowd.deaths[self->held[i]]--;
	if (plf_get_stats(&stats) == 0)
		self->gate_waits -= stats.gate_waits;
	self->deaths--;
	self->died = false;
}

/* The only place for a member to die: by itself, or by a pthread_cancel() of the undertaker. */
static void die_perhaps(struct member *self)
{
	unsigned way = random_between(&self->random, 1, 60);
	int covers = self->notes.covers;
	uint32_t urgent = self->notes.urgent;
	int unused;

	self->notes.covers = 0;
	self->notes.urgent = 0;
	count_death(self);
	if (way == 1)
		pthread_exit(NULL);
	if (way == 2)
		syscall(SYS_exit, 0);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &unused);
	pthread_testcancel();
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &unused);
	uncount_death(self);
	self->notes.urgent = urgent;
	self->notes.covers = covers;
}

static void inject(struct member *self, bool innermost)
{
	if ((crowd.faults & FAULT_SLEEP) != 0 && one_in(&self->random, 4))
		nap(self);
	if ((crowd.faults & FAULT_DEATH) != 0)
		die_perhaps(self);
	if ((crowd.faults & FAULT_FOREIGN) != 0 && innermost && one_in(&self->random, 2)) {
		foreign_lock(self, FOREIGN_INNER);
		some_work(self);
		foreign_unlock(self, FOREIGN_INNER);
	}
}

static int pick(struct member *self, unsigned set)
{
	int which;

	do
		which = (int)random_between(&self->random, 0, LOCKS - 1);
	while ((set & 1U << which) == 0);
	return which;
}

/* A section of a random lock of the set, with others inside it. */
static void nest(struct member *self, unsigned set, unsigned depth)
{
	int which = pick(self, set);
	int ceiling = (int)crowd.lock[which].ceiling;
	int covered = self->notes.covers;
	int outer = note_entering(&self->notes, ceiling);

	set &= ~(1U << which);
	if (enter(self, which)) {
		self->notes.covers = ceiling > covered ? ceiling : covered;
		touch_first(self, which);
		some_work(self);
		if (depth > 1 && set != 0)
			nest(self, set, depth - 1);
		inject(self, depth == 1 || set == 0);
		some_work(self);
		touch_last(self, which);
		self->notes.covers = covered;
		leave(self, which);
		self->all_sections++;
	}
	note_left(&self->notes, outer);
	look(&self->notes);
}

/* Each intrusion needs a wake-up of the intruder. Under `syscall` and `module` the ceiling keeps
 * the intruder out. */
static void check_intrusions(struct member *self, uint64_t lasted_ns)
{
	uint64_t wakeups = 2 + lasted_ns / (INTRUDER_PERIOD_US * NS_PER_US);

	if (self->notes.intruded > wakeups)
		found(FOUND_UNBOUNDED, "more intrusions than wake-ups", (int)self->notes.index);
	if (self->notes.intruded > 0 && (crowd.attach_flags & PLF_BACKEND_USER) == 0)
		found(FOUND_CEILING, "an intruder got past the kernel's ceiling",
		      (int)self->notes.index);
}

static void outermost(struct member *self)
{
	uint64_t begin_ns = plf_now();
	unsigned deepest = (crowd.faults & FAULT_FLAT) != 0 ? 1 : 3;
	uint64_t lasted_ns;

	nest(self, self->locks, random_between(&self->random, 1, deepest));
	lasted_ns = plf_now() - begin_ns;
	if (lasted_ns > self->longest_ns)
		self->longest_ns = lasted_ns;
	check_intrusions(self, lasted_ns);
}

void run_activity(struct member *self)
{
	unsigned times = random_between(&self->random, 1, 3);

	some_work(self);
	for (unsigned i = 0; i < times; i++) {
		bool around = (crowd.faults & FAULT_FOREIGN) != 0 && one_in(&self->random, 3);

		if (around)
			foreign_lock(self, FOREIGN_OUTER);
		outermost(self);
		if (around)
			foreign_unlock(self, FOREIGN_OUTER);
		some_work(self);
	}
	if (self->role == BY_TIME && one_in(&self->random, 2))
		post_job();
	if (self->role == BY_TIME && one_in(&self->random, 2))
		signal_event(self);
	look(&self->notes);
}
