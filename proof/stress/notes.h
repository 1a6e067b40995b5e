/* SPDX-License-Identifier: MIT */
#ifndef STRESS_NOTES_H
#define STRESS_NOTES_H

/*
 * The oracle. Members write down what they do, in plain words beside the
 * protocol; the oracle never looks at the protocol's words to judge it.
 *
 * All members share one CPU, so a member that reads another's notes can only be
 * preempted between two reads. Whatever is judged together is therefore one word:
 * a sleeping member's `covers` and `urgent` are 0, there is no flag beside them.
 */
#include "report.h"

#include <stdbool.h>

enum { LOCKS = 4 };

struct notes {
	int priority;		    /* base; 0 is SCHED_OTHER */
	volatile int covers;	    /* highest ceiling among sections it surely is in, awake */
	volatile uint32_t urgent;   /* which wake-up this is, from then until it sleeps; else 0 */
	volatile uint64_t blocked;  /* {wake-up, the section of a lower member that ran then} */
	volatile uint32_t intruded; /* intrusions into the present section */
	/* Read by their owner alone. */
	uint32_t index;
	uint32_t wakeups;
	uint32_t sections;  /* outermost ones begun */
	int around;	    /* highest ceiling among sections it may be in: entering included */
	int lent;	    /* foreign mutexes held: others may lend it any priority */
	uint64_t preempted; /* open sections of others that it saw, or arrivals that it held up */
};

extern struct report *report;
extern struct notes *members_notes[MEMBERS_MAX];
extern unsigned members_noted;

void found(enum finding finding, const char *what, int number);

/* Called by a member in its own code, however often. */
void look(struct notes *self);

/* The member woke up by its own wish; the wake hook is yet to come, or behind it. */
static inline void note_awake(struct notes *self)
{
	self->wakeups += self->wakeups == UINT32_MAX ? 2 : 1;
	self->urgent = self->wakeups;
}

static inline void note_asleep(struct notes *self)
{
	self->urgent = 0;
}

/* Before entering. Returns what `around` was, for note_left(). */
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
