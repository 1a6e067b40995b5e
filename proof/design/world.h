/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_WORLD_H
#define DESIGN_WORLD_H

/*
 * One processor: its tasks, their sections, and all possible events. A task arrives any number of
 * times, at any moment, runs any nest of sections that it may use, and ends. Only the depth of
 * nests is bounded.
 *
 * The scheduler (priority.h, edf.h) defines the kernel and struct rank, the urgency of a task. The
 * form (claim.c, floor.c, ...) defines struct words and the tasks' halves of its protocol.
 */
#include "replay.h"

#include <string.h>

enum { NO_TASK = TASKS };

/* scheduler/linked.c defines these, to compare the model's decisions with the shipped scheduler. */
#ifndef NOTE_READY
#define NOTE_ENTRY(w, instant)	  ((void)0)
#define NOTE_READY(task, arrival) ((void)0)
#define NOTE_DECISION(w, urgency) ((void)0)
#define NOTE_DISPATCH(w)	  ((void)0)
#define NOTE_TICK()		  ((void)0)
#endif

enum life { ASLEEP, DUE, WAITING, READY }; /* DUE: the kernel has not handled the arrival */

struct task {
	struct rank rank;
	struct words words; /* its page, while it does not run */
	struct half half;   /* of the section opened last */
	uint8_t life;
	uint8_t depth; /* open sections, including a section that is being entered or left */
	uint8_t open[DEPTH];
	uint8_t is_leaving; /* the half under way leaves a section */
};

struct world {
	struct words page; /* of the running task */
	struct task task[TASKS];
	SAVED saved[RESOURCES];
	uint8_t running;
	uint8_t ready; /* number of tasks in the queue */
	uint8_t queue[TASKS];
	uint8_t broken; /* 1 + the broken rule; 0: none */
};

/* Defined by the scheduler and the form. */
static inline void section_begins(struct world *w, struct task *t);
static inline void form_keep(struct world *w, unsigned task);
static inline void form_load(struct world *w, unsigned task);
static inline void form_get(struct world *w, unsigned resource);
static inline void form_release(struct world *w, unsigned resource);
static inline const char *form_word(const struct world *w, const void *word);
static inline void kernel_called(struct world *w, unsigned service, uint64_t argument);
static inline void after_release(struct world *w, unsigned task);
static inline const char *number(uint64_t value);

/* ---- Rules ----------------------------------------------------------------- */

#define RULES                                                                                      \
	RULE(EXCLUSION, "two tasks are inside one section")                                        \
	RULE(CEILING, "a task runs that may use a section which another one is inside")            \
	RULE(LOST, "a task waits that is more urgent than the running one and all its sections")   \
	RULE(BASE, "outside all sections a task is not as urgent as by itself, no more, no less")  \
	RULE(AFTER, "after a release a task is more urgent than the sections that it still holds") \
	RULE(STILL, "after a release a raised task has not the rank of its sections")              \
	RULE(VAIN, "a task calls the kernel, and no task came that demands it")                    \
	RULE(IDLE, "a task calls the kernel, and has nothing to give up")                          \
	RULE(WORDS, "the kernel's words for the task are not what they should be")                 \
	RULE(SINCE,                                                                                \
	     "a ready task came before the instant from which the running one's floors count")     \
	RULE(EAGER, "a task is more urgent than by two calls a section")                           \
	RULE(BOUND, "a foul task is more urgent than it may be")                                   \
	RULE(QUERY, "a state is in reach that must not be")                                        \
	RULE(ENDLESS, "a half is in a loop")

#include "rules.h"

/* Whether the task's words may hold anything, at any moment. Only T1 can be foul. */
static inline bool is_foul(unsigned task)
{
	return FOUL && task == 0;
}

/* ---- Sections --------------------------------------------------------------- */

/* Number of sections that the task is inside. A section that is being entered or left does not
 * count. */
static inline unsigned inside(const struct task *t)
{
	return t->depth - t->half.is_under_way;
}

static inline bool is_inside(const struct world *w, unsigned task, unsigned resource)
{
	const struct task *t = &w->task[task];

	return memchr(t->open, (int)resource, inside(t)) != NULL;
}

static inline bool has_opened(const struct world *w, unsigned task, unsigned resource)
{
	const struct task *t = &w->task[task];

	return memchr(t->open, (int)resource, t->depth) != NULL;
}

/* ---- The queue: by urgency; among equals a preempted task first, then by arrival ------------- */

static inline void put_at(struct world *w, unsigned task, unsigned place)
{
	memmove(&w->queue[place + 1], &w->queue[place], w->ready - place);
	w->queue[place] = (uint8_t)task;
	w->ready++;
	w->task[task].life = READY;
}

static inline void put_new(struct world *w, unsigned task)
{
	unsigned place = 0;

	while (place < w->ready && !is_above(&w->task[task].rank, &w->task[w->queue[place]].rank))
		place++;
	put_at(w, task, place);
}

static inline void put_preempted(struct world *w, unsigned task)
{
	unsigned place = 0;

	while (place < w->ready && is_above(&w->task[w->queue[place]].rank, &w->task[task].rank))
		place++;
	put_at(w, task, place);
}

static inline void take_first(struct world *w)
{
	unsigned task = w->queue[0];

	w->ready--;
	memmove(&w->queue[0], &w->queue[1], w->ready);
	w->queue[w->ready] = 0;
	w->running = (uint8_t)task;
	form_load(w, task);
	say("T%u runs", task + 1);
}

/* ---- The kernel, whatever the scheduler ---------------------------------------- */

static inline void dispatch(struct world *w)
{
	w->running = NO_TASK;
	if (w->ready > 0)
		take_first(w);
}

static inline void preempt(struct world *w)
{
	say("the kernel preempts T%u", w->running + 1U);
	form_keep(w, w->running);
	(LOSES_TIES ? put_new : put_preempted)(w, w->running);
	dispatch(w);
}

/* ---- A task's steps ---------------------------------------------------------------- */

static struct world *stepped; /* the world in which a half runs */

static inline unsigned latest(const struct task *t)
{
	return t->open[t->depth - 1];
}

static inline const char *doing(const struct task *t)
{
	return t->is_leaving ? "ReleaseResource" : "GetResource";
}

static void note_access(enum access kind, const void *word, uint64_t value)
{
	const struct task *t = &stepped->task[stepped->running];

	if (!readtrail || kind == ACCESS_CALL)
		return;
	say("T%u in %s(R%u): %s %s %s", stepped->running + 1U, doing(t), latest(t) + 1U,
	    form_word(stepped, word), kind == ACCESS_STORE ? ":=" : "is", number(value));
}

static _Noreturn void note_endless(void)
{
	demand(stepped, false, BREAKS_ENDLESS);
	longjmp(replay.stop, 1);
}

/* A half's system call: one step, which the kernel makes. */
static inline void call(struct world *w, unsigned service, uint64_t argument)
{
	struct half *half = replay.half;
	uint64_t ignored;

	if (!is_new(&ignored))
		return;
	made(ACCESS_CALL, NULL, 0, 0);
	replay.half = NULL;
	kernel_called(w, service, argument);
	replay.half = half;
}

/* Runs the half up to its next new access. Returns whether the half has ended. */
static bool half_ends(struct world *w, const struct task *t)
{
	if (setjmp(replay.stop) != 0)
		return false;
	(t->is_leaving ? form_release : form_get)(w, latest(t));
	return true;
}

static inline void one_access(struct world *w, unsigned task)
{
	struct task *t = &w->task[task];
	bool has_ended;

	stepped = w;
	replay.half = &t->half;
	replay.place = 0;
	replay.has_moved = false;
	has_ended = half_ends(w, t);
	replay.half = NULL;
	if (!has_ended)
		return;
	memset(&t->half, 0, sizeof(t->half));
	if (t->is_leaving) {
		say("T%u has left R%u", task + 1, latest(t) + 1U);
		t->open[--t->depth] = 0;
		t->is_leaving = 0;
		after_release(w, task);
	} else {
		say("T%u is inside R%u", task + 1, latest(t) + 1U);
	}
}

static inline void get(struct world *w, unsigned resource)
{
	struct task *t = &w->task[w->running];

	section_begins(w, t);
	t->open[t->depth++] = (uint8_t)resource;
	t->half.is_under_way = 1;
	one_access(w, w->running);
}

static inline void release(struct world *w)
{
	struct task *t = &w->task[w->running];

	t->is_leaving = 1;
	t->half.is_under_way = 1;
	one_access(w, w->running);
}

/* Restricts the sections of the running task; `depth` is the number of its open sections. */
#ifndef MAY_GET
#define MAY_GET(task, resource, depth) true
#endif

static inline bool may_get(const struct world *w, unsigned resource)
{
	const struct task *t = &w->task[w->running];

	return !t->half.is_under_way && t->depth < DEPTH && is_user(w->running, resource) &&
	       !has_opened(w, w->running, resource) && MAY_GET(w->running, resource, t->depth);
}

/* ---- Rules that all protocols share ---------------------------------------------------- */

static inline void look_at_sections(struct world *w)
{
	for (unsigned r = 0; r < RESOURCES; r++) {
		unsigned holders = 0;

		for (unsigned i = 0; i < TASKS; i++) {
			holders += !is_foul(i) && is_inside(w, i, r);
			demand(w,
			       is_foul(i) || i == w->running || !is_inside(w, i, r) ||
				       !is_user(w->running, r),
			       BREAKS_CEILING);
		}
		demand(w, holders <= 1, BREAKS_EXCLUSION);
	}
}

#endif
