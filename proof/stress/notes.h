/* SPDX-License-Identifier: MIT */
#ifndef STRESS_NOTES_H
#define STRESS_NOTES_H

/*
 * The oracle. Members note their actions in plain words beside the protocol. The oracle never
 * judges by the protocol's words.
 *
 * All members share one CPU, so a member that reads the notes of another can only be preempted
 * between two reads. So all facts that are judged together are a single word: `covers` and `urgent`
 * of a sleeping member are 0, and there is no flag beside them.
 */
#include "report.h"

#include <stdbool.h>

enum { LOCKS = 4 };

struct notes {
	int priority;		    /* base; 0 is SCHED_OTHER */
	volatile int covers;	    /* highest ceiling of sections that it surely is in, awake */
	volatile uint32_t urgent;   /* number of the wake-up until it sleeps; then 0 */
	volatile uint64_t blocked;  /* {wake-up, the section of a lower member that ran then} */
	volatile uint32_t intruded; /* intrusions into the present section */
	/* for the owner only */
	uint32_t index;
	uint32_t wakeups;
	uint32_t sections;  /* outermost sections begun */
	int around;	    /* highest ceiling of sections that it may be in, or is entering */
	int lent;	    /* foreign mutexes held: others may lend it any priority */
	uint64_t preempted; /* open sections of others that it saw, or arrivals that it held up */
};

extern struct report *report;
extern struct notes *members_notes[MEMBERS_MAX];
extern unsigned members_noted;

void found(enum finding finding, const char *what, int number);

/* A member calls this in its own code, at any time. */
void look(struct notes *self);

/* The member woke up from its own sleep. The wake hook has run, or is about to run. */
static inline void note_awake(struct notes *self)
{
	self->wakeups += self->wakeups == UINT32_MAX ? 2 : 1;
	self->urgent = self->wakeups;
}

static inline void note_asleep(struct notes *self)
{
	self->urgent = 0;
}

/* Call before entering. Returns the old `around`, for note_left(). */
static inline int note_entering(struct notes *self, int ceiling)
{
	int outer = self->around;

	if (outer == 0) {
		self->sections++;
		self->intruded = 0;
	}
	if (ceiling > outer)
		self->around = ceiling;
	return outer;
}

static inline void note_left(struct notes *self, int outer)
{
	self->around = outer;
}

#endif
