/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_PRIORITY_KERNEL_H
#define DESIGN_PRIORITY_KERNEL_H

/*
 * The kernel and the rules under fixed priorities. The form defines form_level(), the level of the
 * running task for a decision; form_entry(), the work at each entry; form_ready(), the work after
 * tasks became ready; and form_called(), the work of a call.
 */
#include <inttypes.h>

static inline const char *number(uint64_t value)
{
	static char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return text;
}

/* ---- For the rules on calls ------------------------------------------------------ */

static inline void section_begins(struct world *w, struct task *t)
{
	(void)w;
	if (t->depth == 0)
		t->rank.came = 0;
	t->rank.seen &= (uint8_t)((1U << t->depth) - 1);
}

static inline void note_entry(struct world *w)
{
	struct task *t = &w->task[w->running];

	if (w->running != NO_TASK)
		t->rank.seen = (uint8_t)((1U << t->depth) - 1);
}

static inline void note_ready(struct world *w, unsigned task)
{
	for (unsigned i = 0; i < TASKS; i++) {
		struct task *t = &w->task[i];

		if (t->depth > 0 && base_of[task] > t->rank.came)
			t->rank.came = base_of[task];
	}
}

/* ---- The kernel ---------------------------------------------------------------------- */

static inline void preempt_if_due(struct world *w)
{
	uint32_t level = form_level(w);

	w->task[w->running].rank.level = level;
	if (is_foul(w->running))
		demand(w, level >= base_of[w->running] && level <= highest_user_of(w->running),
		       BREAKS_BOUND);
	if (first_level(w) > level)
		preempt(w);
	NOTE_DECISION(w, level);
}

static inline void arrive(struct world *w, unsigned tasks)
{
	form_entry(w);
	for (unsigned i = 0; i < TASKS; i++) {
		if (!(tasks & 1U << i))
			continue;
		say("T%u arrives, of priority %" PRIu32, i + 1, base_of[i]);
		w->task[i].rank.level = base_of[i];
		form_begin(w, i);
		put_new(w, i);
		NOTE_READY(i, 0);
		note_ready(w, i);
	}
	form_ready(w);
	if (w->running == NO_TASK) {
		dispatch(w);
		NOTE_DISPATCH(w);
	} else {
		preempt_if_due(w);
	}
}

static inline void kernel_called(struct world *w, unsigned service, uint64_t argument)
{
	unsigned task = w->running;
	struct task *t = &w->task[task];
	uint32_t before = t->rank.level;

	say("T%u calls the kernel", task + 1);
	if (!is_foul(task))
		demand(w, form_may_call(w), BREAKS_VAIN);
	form_entry(w);
	form_called(w, service, argument);
	if (t->rank.level != before)
		say("T%u has priority %" PRIu32, task + 1, t->rank.level);
	if (CALLS_CHANGE && !is_foul(task))
		demand(w, t->rank.level != before, BREAKS_IDLE);
	preempt_if_due(w);
}

static inline void end(struct world *w)
{
	unsigned task = w->running;

	say("T%u ends", task + 1);
	memset(&w->task[task], 0, sizeof(w->task[task]));
	form_entry(w);
	dispatch(w);
	NOTE_DISPATCH(w);
}

/* ---- Rules --------------------------------------------------------------------- */

/* Returns the highest ceiling of the first `depth` open sections, or the base if higher. */
static inline uint32_t highest_of(const struct world *w, unsigned task, unsigned depth)
{
	const struct task *t = &w->task[task];
	uint32_t highest = base_of[task];

	for (unsigned i = 0; i < depth; i++)
		if (ceiling_of[t->open[i]] > highest)
			highest = ceiling_of[t->open[i]];
	return highest;
}

static inline void after_release(struct world *w, unsigned task)
{
	struct task *t = &w->task[task];
	uint32_t level = task == w->running ? form_known(w) : t->rank.level;
	uint32_t highest = highest_of(w, task, t->depth);

	t->rank.seen &= (uint8_t)((1U << t->depth) - 1);
	if (t->depth == 0)
		t->rank.came = 0;
	if (is_foul(task))
		return;
	demand(w, level <= highest, BREAKS_AFTER);
	if (STAYS_RAISED && level > base_of[task])
		demand(w, level == highest, BREAKS_STILL);
}

static inline void look(struct world *w)
{
	unsigned task = w->running;
	const struct task *t = &w->task[task];

	look_at_sections(w);
	if (task == NO_TASK || is_foul(task))
		return;
	demand(w, first_level(w) <= highest_of(w, task, t->depth), BREAKS_LOST);
	if (t->depth == 0)
		demand(w, form_known(w) == base_of[task], BREAKS_BASE);
	form_look(w);
}

/* ---- For the queries --------------------------------------------------------------- */

static inline bool in_mutex(const struct world *w, unsigned task)
{
	return inside(&w->task[task - 1]) > 0;
}

static inline bool asleep(const struct world *w, unsigned task)
{
	return w->task[task - 1].life == ASLEEP;
}

static inline unsigned nesting(const struct world *w, unsigned task)
{
	return inside(&w->task[task - 1]);
}

/* Returns the priority as the kernel knows it. */
static inline uint32_t priority_of(const struct world *w, unsigned task)
{
	if (task - 1 == w->running)
		return form_known(w);
	return asleep(w, task) ? base_of[task - 1] : w->task[task - 1].rank.level;
}

#include "queries.h"

/* ---- For Spin ------------------------------------------------------------------------- */

/* Its size is the size of the state. Spin's checker takes the state for an array of bytes. */
extern const char world_size[sizeof(struct world)];
const char world_size[sizeof(struct world)] = { 0 };

enum {
	GOES_ON,
	ARRIVES, /* plus a set of tasks, a bit each */
	ENDS = ARRIVES + 15,
	RELEASES,
	INTERRUPTED,		   /* an interrupt without arrivals */
	GETS,			   /* plus the resource */
	SPOILS = GETS + RESOURCES, /* plus the index of the value */
};

static const uint32_t spoilt[] = { 0, 1, 2, 3, UINT32_MAX };

extern void world_begin(void *world);
extern bool world_may(const void *world, unsigned action);
extern void world_act(void *world, unsigned action);
extern bool world_is_right(const void *world);

void world_begin(void *world)
{
	struct world *w = world;

	memset(w, 0, sizeof(*w));
	w->running = NO_TASK;
	form_prepare(w);
}

static bool may_arrive(const struct world *w, unsigned tasks)
{
	for (unsigned i = 0; i < TASKS; i++)
		if (tasks & 1U << i && w->task[i].life != ASLEEP)
			return false;
	return tasks < 1U << TASKS;
}

bool world_may(const void *world, unsigned action)
{
	const struct world *w = world;
	const struct task *t = &w->task[w->running];

	if (action >= ARRIVES && action < ENDS)
		return may_arrive(w, action - ARRIVES + 1);
	if (w->running == NO_TASK)
		return false;
	switch (action) {
	case GOES_ON:
		return t->half.is_under_way;
	case ENDS:
		return t->depth == 0;
	case RELEASES:
		return !t->half.is_under_way && t->depth > 0;
	case INTERRUPTED:
		return INTERRUPTS;
	default:
		if (action >= SPOILS)
			return is_foul(w->running) && action - SPOILS < 5;
		return may_get(w, action - GETS);
	}
}

void world_act(void *world, unsigned action)
{
	struct world *w = world;

	switch (action) {
	case GOES_ON:
		one_access(w, w->running);
		break;
	case ENDS:
		end(w);
		break;
	case RELEASES:
		release(w);
		break;
	case INTERRUPTED:
		say("an interrupt");
		form_entry(w);
		preempt_if_due(w);
		break;
	default:
		if (action >= SPOILS)
			form_spoil(w, spoilt[action - SPOILS]);
		else if (action >= GETS)
			get(w, action - GETS);
		else
			arrive(w, action - ARRIVES + 1);
	}
	look(w);
	look_for_queries(w);
}

bool world_is_right(const void *world)
{
	const struct world *w = world;

	return w->broken == 0;
}

#endif
