/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_URGENCY_H
#define DESIGN_URGENCY_H

/* An urgency is a level. */
static inline uint64_t own_urgency(unsigned task)
{
	return base_of[task];
}

static inline uint64_t urgency_of(const struct world *w, unsigned task)
{
	return w->task[task].rank.level;
}

#endif
