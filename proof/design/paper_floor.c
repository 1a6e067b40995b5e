/* SPDX-License-Identifier: MIT */

/*
 * Almatary, Audsley, Burns 2015, Section IV, as printed. FORM selects the code with two calls
 * (eager) or the code without. This is a fixture: nothing ships from here.
 *
 * The paper's clock has no end, so its `>` of instants is plf_is_earlier() here. The kernel's block
 * of a task is the shipped block, with only `own` and `deadline` in use. The kernel reads the
 * argument of K.Set_Deadline in the step of the call, because no other task writes it.
 */
#define ACCESSES 4
#include "replay.h"

#include "lazy_floor.h"

enum { CALLS, FLAT };

/* A task's words in user space. */
struct words {
	uint64_t old_deadline, new_deadline, new_rel_deadline;
	uint32_t to_raise, start;
};

enum { IS_LAZY = FORM == FLAT };

#include "edf.h"

/* ---- As printed: two calls ------------------------------------------------------- */

static inline void set_deadline(const uint64_t *deadline)
{
	call(stepped, 0, (uintptr_t)deadline);
}

/* new_deadline := clock + floor, in one step. */
static inline void read_clock(uint64_t *new_deadline, uint64_t floor)
{
	uint64_t ignored;

	if (!is_new(&ignored))
		return;
	*new_deadline = CLOCK + floor;
	made(ACCESS_CALL, NULL, 0, 0);
	say("T%u reads the clock: new_deadline := %d", stepped->running + 1U, shown(*new_deadline));
}

static inline void eager_acquire(struct words *t, uint64_t floor)
{
	read_clock(&t->new_deadline, floor);
	if (plf_is_earlier(t->new_deadline, t->old_deadline))
		set_deadline(&t->new_deadline);
}

static inline void eager_release(struct words *t)
{
	set_deadline(&t->old_deadline);
}

/* ---- As printed: no call, or one call ---------------------------------------------- */

static inline void set_start(struct words *t, uint32_t value)
{
	if (!WITHOUT_START)
		plf_store32(&t->start, value);
}

static inline void flat_acquire(struct words *t, uint64_t floor)
{
	plf_store64(&t->new_rel_deadline, floor);
	plf_store32(&t->to_raise, true);
}

static inline void flat_release(struct words *t)
{
	set_start(t, true);
	if (plf_load32(&t->to_raise))
		plf_store32(&t->to_raise, false);
	else
		set_deadline(&t->old_deadline);
	set_start(t, false);
}

/* The kernel's half, with its own new_deadline. Returns the deadline to set, or old_deadline. */
static inline uint64_t flat_kernel(struct words *current)
{
	if (!current->start && current->to_raise) {
		uint64_t new_deadline = CLOCK + current->new_rel_deadline;

		if (plf_is_earlier(new_deadline, current->old_deadline)) {
			current->to_raise = false;
			return new_deadline;
		}
	}
	return current->old_deadline;
}

/* ---- The task's half ---------------------------------------------------------------- */

static inline void form_get(struct world *w, unsigned resource)
{
	(FORM == CALLS ? eager_acquire : flat_acquire)(&w->page, floor_of[resource]);
}

static inline void form_release(struct world *w, unsigned resource)
{
	(void)resource;
	(FORM == CALLS ? eager_release : flat_release)(&w->page);
}

/* ---- The kernel's half --------------------------------------------------------------- */

static inline void form_begin(struct world *w, unsigned task)
{
	struct words *words = &w->task[task].words;

	memset(words, 0, sizeof(*words));
	words->old_deadline = w->task[task].rank.floor.own;
}

static inline void form_keep(struct world *w, unsigned task)
{
	w->task[task].words = w->page;
}

static inline void form_load(struct world *w, unsigned task)
{
	w->page = w->task[task].words;
	memset(&w->task[task].words, 0, sizeof(w->page));
}

static inline void form_age(struct words *words)
{
	age(&words->old_deadline);
	age(&words->new_deadline);
}

/* Outside sections a task reads neither value, because it writes both before. */
static inline void form_forget(const struct task *t, struct words *words)
{
	if (t->depth > 0)
		return;
	words->new_deadline = words->old_deadline;
	words->new_rel_deadline = 0;
}

/* Section III: "If there is a call to release a previously suspended task". */
static inline void form_ready(struct world *w)
{
	uint64_t deadline;

	if (FORM == CALLS)
		return;
	deadline = flat_kernel(&w->page);
	if (deadline == w->page.old_deadline)
		return;
	w->task[w->running].rank.floor.deadline = deadline;
	say("the kernel gives T%u the deadline %d", w->running + 1U, shown(deadline));
}

static inline void form_raise(struct world *w, uint64_t instant)
{
	(void)w, (void)instant;
}

static inline void form_called(struct world *w, unsigned service, uint64_t argument)
{
	(void)service;
	w->task[w->running].rank.floor.deadline = *(const uint64_t *)(uintptr_t)argument;
}

/* ---- For the rules and the printed way -------------------------------------------------- */

static inline void form_look(struct world *w)
{
	(void)w;
}

static inline void form_spoil(struct world *w, uint64_t value)
{
	(void)w, (void)value;
}

static inline const char *form_word(const struct world *w, const void *word)
{
	if (word == &w->page.new_rel_deadline)
		return "new_rel_deadline";
	return word == &w->page.to_raise ? "to_raise" : "start";
}

#include "edf_kernel.h"
