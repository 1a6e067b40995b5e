/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_EDF_KERNEL_H
#define DESIGN_EDF_KERNEL_H

/* The kernel under EDF, as in kernel/scheduler/edf, and the rules. */

static inline const char *number(uint64_t value)
{
	static char text[24];

	if (value == PLF_FLOOR_NONE)
		return "NONE";
	snprintf(text, sizeof(text), "%" PRIu64, value);
	return text;
}

/* ---- For the rules on calls ------------------------------------------------------ */

static inline void note_ready(struct world *w, unsigned task)
{
	for (unsigned i = 0; i < TASKS; i++) {
		struct task *t = &w->task[i];

		if (t->depth > 0 && plf_is_earlier(w->task[task].rank.floor.own, t->rank.floor.own))
			t->rank.more_urgent = 1;
	}
}

/* ---- The kernel ---------------------------------------------------------------------- */

/* The instant from which floors count: not after any arrival that is unhandled, or handled now. */
static inline uint64_t instant_of(const struct world *w)
{
	uint64_t instant = CLOCK;

	for (unsigned i = 0; i < TASKS && GAP != GAP_CLOCK; i++)
		if (w->task[i].life == DUE && plf_is_earlier(w->task[i].rank.arrived, instant))
			instant = w->task[i].rank.arrived;
	return instant;
}

static inline void section_begins(struct world *w, struct task *t)
{
	if (t->depth == 0)
		t->rank.more_urgent = 0;
	if (EXACT)
		t->rank.entered[t->depth] = instant_of(w);
}

static inline bool is_due(const struct world *w, const struct plf_floor *running)
{
	uint64_t first;

	if (w->ready == 0)
		return false;
	first = w->task[w->queue[0]].rank.floor.deadline;
	return plf_is_earlier(first, running->deadline) ||
	       (GAP == GAP_TIES && first == running->deadline);
}

static inline void preempt_if_due(struct world *w, uint64_t instant)
{
	struct plf_floor *floor = &w->task[w->running].rank.floor;
	uint64_t before = floor->deadline;

	if (is_due(w, floor))
		form_raise(w, instant);
	if (floor->deadline != before)
		say("the kernel gives T%u the deadline %d", w->running + 1U,
		    shown(floor->deadline));
	before = floor->deadline;
	if (is_due(w, floor))
		preempt(w);
	NOTE_DECISION(w, before);
}

/* The task arrived, or woke up, at `instant`. */
static inline void make_ready(struct world *w, unsigned task, uint64_t instant)
{
	struct task *t = &w->task[task];

	if (t->life == DUE || GAP != GAP_WAKE)
		plf_floor_begin(&t->rank.floor, instant + relative_of[task]);
	t->rank.arrived = 0;
	form_begin(w, task);
	put_new(w, task);
	NOTE_READY(task, instant);
	note_ready(w, task);
	say("the kernel makes T%u ready: deadline %d", task + 1, shown(t->rank.floor.deadline));
}

static inline void enter_kernel(struct world *w, unsigned tasks)
{
	uint64_t instant = instant_of(w);

	NOTE_ENTRY(w, instant);
	for (unsigned i = 0; i < TASKS; i++)
		if (tasks & 1U << i)
			make_ready(w, i, w->task[i].life == DUE ? w->task[i].rank.arrived : CLOCK);
	if (tasks != 0 && w->running != NO_TASK)
		form_ready(w);
	if (w->running == NO_TASK) {
		dispatch(w);
		NOTE_DISPATCH(w);
	} else {
		preempt_if_due(w, instant);
	}
}

static inline void kernel_called(struct world *w, unsigned service, uint64_t argument)
{
	unsigned task = w->running;
	struct task *t = &w->task[task];
	uint64_t before = t->rank.floor.deadline;

	say("T%u calls the kernel", task + 1);
	if (IS_LAZY && !is_foul(task)) {
		demand(w, t->is_leaving && t->rank.more_urgent, BREAKS_VAIN);
		demand(w, is_raised(t), BREAKS_IDLE);
	}
	NOTE_ENTRY(w, instant_of(w));
	form_called(w, service, argument);
	if (t->rank.floor.deadline != before)
		say("T%u has the deadline %d", task + 1, shown(t->rank.floor.deadline));
	preempt_if_due(w, instant_of(w));
}

/*
 * The running task ends or waits. Its kernel block keeps old values, which no rule may read. So the
 * model makes them as old as possible.
 */
static inline void stop(struct world *w, enum life life)
{
	struct task *t = &w->task[w->running];
	struct plf_floor old = { .own = CLOCK - OLDEST, .deadline = CLOCK - OLDEST, .raises = 1 };

	if (GAP == GAP_WAKE)
		old = t->rank.floor;
	memset(t, 0, sizeof(*t));
	t->rank.floor = old;
	t->life = (uint8_t)life;
	memset(&w->page, 0, sizeof(w->page));
	dispatch(w);
	NOTE_DISPATCH(w);
}

static inline void end(struct world *w)
{
	say("T%u ends", w->running + 1U);
	stop(w, ASLEEP);
}

static inline void wait(struct world *w)
{
	say("T%u waits", w->running + 1U);
	stop(w, WAITING);
}

/* ---- Time ------------------------------------------------------------------------------ */

static inline bool may_tick(const struct world *w)
{
	for (unsigned i = 0; i < TASKS; i++) {
		const struct task *t = &w->task[i];

		if (t->life == DUE && CLOCK - t->rank.arrived + 1 > LATE)
			return false;
		if (t->life == READY && (int64_t)(CLOCK - t->rank.floor.own) >= OVERDUE)
			return false;
	}
	return true;
}

static inline void age_task(struct task *t)
{
	struct plf_floor *floor = &t->rank.floor;

	age(&floor->own);
	age(&floor->deadline);
	for (unsigned i = 0; i < floor->raises; i++)
		age(&floor->raise[i].since);
	for (unsigned section = 0; EXACT && section < t->depth; section++)
		age(&t->rank.entered[section]);
}

static inline void tick(struct world *w)
{
	elapsed++;
	NOTE_TICK();
	say("the clock shows %d", shown(CLOCK));
	for (unsigned i = 0; i < TASKS; i++) {
		struct task *t = &w->task[i];

		if (t->life == DUE)
			age(&t->rank.arrived);
		else if (t->life == READY || GAP == GAP_WAKE)
			age_task(t);
		form_age(i == w->running ? &w->page : &t->words);
	}
}

/* Clears values that no task and no rule reads any more, such as a raise that is not in force. */
static inline void forget(struct world *w)
{
	for (unsigned i = 0; i < TASKS; i++) {
		struct plf_floor *floor = &w->task[i].rank.floor;

		form_forget(&w->task[i], i == w->running ? &w->page : &w->task[i].words);
		for (unsigned k = floor->raises; k < PLF_FLOOR_RAISES; k++)
			memset(&floor->raise[k], 0, sizeof(floor->raise[k]));
	}
}

/* ---- Rules --------------------------------------------------------------------- */

/* The deadline that the first `depth` open sections ask for, counted from the first raise, or the
 * task's own if earlier. */
static inline uint64_t asked_for(const struct task *t, unsigned depth)
{
	const struct plf_floor *floor = &t->rank.floor;
	uint64_t deadline = floor->own;

	for (unsigned i = 0; i < depth; i++)
		if (plf_is_earlier(floor->raise[0].since + floor_of[t->open[i]], deadline))
			deadline = floor->raise[0].since + floor_of[t->open[i]];
	return deadline;
}

static inline void after_release(struct world *w, unsigned task)
{
	struct task *t = &w->task[task];

	if (t->depth == 0)
		t->rank.more_urgent = 0;
	if (EXACT)
		t->rank.entered[t->depth] = 0;
	demand(w,
	       is_foul(task) || !is_raised(t) ||
		       !plf_is_earlier(t->rank.floor.deadline, asked_for(t, t->depth)),
	       BREAKS_AFTER);
}

/* The deadline floor protocol as the paper defines it, Section IV: each floor counts from the
 * beginning of its section.
 */
static inline bool is_as_urgent_as_by_calls(const struct task *t)
{
	uint64_t deadline = t->rank.floor.own;

	for (unsigned i = 0; i < t->depth; i++)
		if (plf_is_earlier(t->rank.entered[i] + floor_of[t->open[i]], deadline))
			deadline = t->rank.entered[i] + floor_of[t->open[i]];
	return !plf_is_earlier(t->rank.floor.deadline, deadline);
}

static inline void look(struct world *w)
{
	unsigned task = w->running;
	const struct task *t = &w->task[task];

	look_at_sections(w);
	if (task == NO_TASK)
		return;
	demand(w, w->ready == 0 || !is_above(&w->task[w->queue[0]].rank, &t->rank), BREAKS_LOST);
	if (is_foul(task)) {
		demand(w,
		       !is_raised(t) ||
			       !plf_is_earlier(t->rank.floor.deadline,
					       t->rank.floor.raise[0].since + least_of(task)),
		       BREAKS_BOUND);
		return;
	}
	form_look(w);
	if (EXACT)
		demand(w, is_as_urgent_as_by_calls(t), BREAKS_EAGER);
	if (t->depth == 0)
		demand(w, !is_raised(t), BREAKS_BASE);
}

#include "queries.h"

/* ---- For Spin ------------------------------------------------------------------------- */

/* Its size is the size of the state. Spin's checker takes the state for an array of bytes. */
extern const char world_size[sizeof(struct world)];
const char world_size[sizeof(struct world)] = { 0 };

enum {
	GOES_ON,
	HANDLED, /* plus a set of tasks, a bit each; the empty set is an interrupt */
	ENDS = HANDLED + 8,
	RELEASES,
	WAITS,
	TICKS,
	ARRIVES, /* plus the task */
	GETS = ARRIVES + TASKS,
	SPOILS = GETS + RESOURCES, /* plus the index of the value */
};

static const uint64_t spoilt[] = { 0, 1, 3, PLF_FLOOR_MOST, PLF_FLOOR_MOST + 1 };

extern void world_begin(void *world);
extern bool world_may(const void *world, unsigned action);
extern void world_act(void *world, unsigned action);
extern bool world_is_right(const void *world);

void world_begin(void *world)
{
	struct world *w = world;

	memset(w, 0, sizeof(*w));
	w->running = NO_TASK;
}

static bool may_be_handled(const struct world *w, unsigned tasks)
{
	for (unsigned i = 0; i < TASKS; i++)
		if (tasks & 1U << i && w->task[i].life != DUE && w->task[i].life != WAITING)
			return false;
	return tasks < 1U << TASKS;
}

bool world_may(const void *world, unsigned action)
{
	const struct world *w = world;
	const struct task *t = &w->task[w->running];

	if (action >= HANDLED && action < ENDS)
		return may_be_handled(w, action - HANDLED);
	if (action == TICKS)
		return may_tick(w);
	if (action >= ARRIVES && action < GETS)
		return w->task[action - ARRIVES].life == ASLEEP;
	if (w->running == NO_TASK)
		return false;
	switch (action) {
	case GOES_ON:
		return t->half.is_under_way;
	case WAITS:
		return MAY_WAIT && t->depth == 0;
	case ENDS:
		return t->depth == 0;
	case RELEASES:
		return !t->half.is_under_way && t->depth > 0;
	default:
		if (action >= SPOILS)
			return is_foul(w->running) && action - SPOILS < 5;
		return may_get(w, action - GETS);
	}
}

void world_act(void *world, unsigned action)
{
	struct world *w = world;

	if (action >= SPOILS) {
		form_spoil(w, spoilt[action - SPOILS]);
	} else if (action >= GETS) {
		get(w, action - GETS);
	} else if (action >= ARRIVES) {
		unsigned task = action - ARRIVES;

		w->task[task].life = DUE;
		w->task[task].rank.arrived = CLOCK;
		say("T%u arrives, its relative deadline is %" PRIu64, task + 1, relative_of[task]);
	} else if (action == TICKS) {
		tick(w);
	} else if (action == WAITS) {
		wait(w);
	} else if (action == RELEASES) {
		release(w);
	} else if (action == ENDS) {
		end(w);
	} else if (action >= HANDLED) {
		enter_kernel(w, action - HANDLED);
	} else {
		one_access(w, w->running);
	}
	forget(w);
	look(w);
	look_for_queries(w);
}

bool world_is_right(const void *world)
{
	const struct world *w = world;

	return w->broken == 0;
}

#endif
