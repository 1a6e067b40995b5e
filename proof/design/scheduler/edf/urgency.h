/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_URGENCY_H
#define DESIGN_URGENCY_H

/* An urgency is a deadline. */
static inline uint64_t own_urgency(unsigned task)
{
	return relative_of[task];
}

static inline uint64_t urgency_of(const struct world *w, unsigned task)
{
	return w->task[task].rank.floor.deadline;
}

static inline void on_entry(const struct world *w, uint64_t instant)
{
	uint64_t due = UINT64_MAX; /* no arrival is due */

	for (unsigned i = 0; i < TASKS; i++)
		if (w->task[i].life == DUE && w->task[i].rank.arrived < due)
			due = w->task[i].rank.arrived;
	compare("the instant of an entry", instant, shipped_entered(CLOCK, due));
}

#endif
