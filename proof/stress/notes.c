/* SPDX-License-Identifier: MIT */
#include "notes.h"

#include <stdio.h>

struct report *report;
struct notes *members_notes[MEMBERS_MAX];
unsigned members_noted;

void found(enum finding finding, const char *what, int number)
{
	if (__atomic_fetch_add(&report->findings[finding], 1, __ATOMIC_RELAXED) == 0)
		snprintf(report->first[finding], sizeof(report->first[finding]), "%s (%d)", what,
			 number);
}

/* X's section is open and X is ready, so a thread that it covers must not run. */
static void look_down(struct notes *self, const struct notes *x)
{
	if (self->priority > 0 && self->lent == 0 && x->covers >= self->priority)
		found(FOUND_CEILING, "a thread runs at or below another's open section's ceiling",
		      (int)self->index);
}

/* SELF runs although the more urgent X is awake. SELF must be in a section that covers X, and only
 * one section may block X. */
static void look_up(struct notes *self, struct notes *x)
{
	uint32_t wakeup = x->urgent;
	uint32_t section = (self->index + 1) << 24 | (self->sections & 0xffffff);
	uint64_t before = x->blocked;

	/* X may have run since this was read, and then its notes no longer hold. */
	if (wakeup == 0 || x->urgent != wakeup)
		return;
	if (self->around < x->priority)
		found(FOUND_INVERSION, "a thread runs before a more urgent one", (int)self->index);
	if (before >> 32 != wakeup)
		self->preempted++;
	else if ((uint32_t)before != section)
		found(FOUND_TWICE, "an activation is blocked twice", (int)x->index);
	x->blocked = (uint64_t)wakeup << 32 | section;
}

void look(struct notes *self)
{
	for (unsigned i = 0; i < members_noted; i++) {
		struct notes *x = members_notes[i];

		if (x == self)
			continue;
		if (x->priority > self->priority)
			look_up(self, x);
		look_down(self, x);
	}
}
