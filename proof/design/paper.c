/* SPDX-License-Identifier: MIT */

/*
 * The forms that Section VI of Almatary 2015 compares. FORM selects the form. With ONLY_TASK1 the
 * other tasks enter their sections without a step, as in the figures of the paper.
 */
#define ACCESSES 12
#include "replay.h"

enum { NONE, CALLS, FLAT, NESTED }; /* CALLS: K.Set_Priority at both ends (eager) */

#include "../lazy/literal.h"

enum { CALLS_CHANGE = 0, STAYS_RAISED = 0 };

#include "priority.h"

/* ---- The task's half ------------------------------------------------------------- */

static inline void set_priority(uint32_t priority)
{
	call(stepped, 0, priority);
}

static inline void form_get(struct world *w, unsigned resource)
{
	uint32_t ceiling = ceiling_of[resource];

	if (FORM == NONE || (ONLY_TASK1 && w->running != 0))
		return;
	if (FORM == CALLS) {
		uint32_t before = plf_load32(&w->page.new_pri);

		plf_store32(&w->page.new_pri, before > ceiling ? before : ceiling);
		set_priority(before > ceiling ? before : ceiling);
		plf_store32(&w->saved[resource], before);
	} else if (FORM == FLAT) {
		flat_acquire(&w->page, ceiling);
	} else {
		nested_acquire(&w->page, &w->saved[resource], ceiling);
	}
}

static inline void form_release(struct world *w, unsigned resource)
{
	if (FORM == NONE || (ONLY_TASK1 && w->running != 0))
		return;
	if (FORM == CALLS) {
		uint32_t before = plf_load32(&w->saved[resource]);

		plf_store32(&w->page.new_pri, before);
		set_priority(before);
	} else if (FORM == FLAT) {
		flat_release(&w->page);
	} else {
		nested_release(&w->page, &w->saved[resource]);
	}
}

/* ---- The kernel's half ------------------------------------------------------------- */

static inline void form_prepare(struct world *w)
{
	(void)w;
}

static inline void form_begin(struct world *w, unsigned task)
{
	struct words *words = &w->task[task].words;

	memset(words, 0, sizeof(*words));
	words->base_pri = words->new_pri = base_of[task];
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

static inline void form_entry(struct world *w)
{
	(void)w;
}

/* Section III: "If there is a call to release a previously suspended task". */
static inline void form_ready(struct world *w)
{
	uint32_t set = 0;

	if (w->running == NO_TASK)
		return;
	if (FORM == FLAT)
		set = flat_kernel(&w->page);
	else if (FORM == NESTED)
		set = nested_kernel(&w->page);
	if (set == 0)
		return;
	w->task[w->running].rank.level = set;
	say("the kernel gives T%u priority %u", w->running + 1U, set);
}

static inline uint32_t form_level(struct world *w)
{
	return w->task[w->running].rank.level;
}

static inline void form_called(struct world *w, unsigned service, uint64_t argument)
{
	(void)service;
	say("K.Set_Priority(%u)", (unsigned)argument);
	w->task[w->running].rank.level = (uint32_t)argument;
}

/* ---- For the rules and the printed way --------------------------------------------- */

static inline uint32_t form_known(const struct world *w)
{
	return w->task[w->running].rank.level;
}

static inline bool form_may_call(const struct world *w)
{
	(void)w;
	return true;
}

static inline void form_look(struct world *w)
{
	(void)w;
}

static inline void form_spoil(struct world *w, uint32_t value)
{
	(void)w, (void)value;
}

static inline const char *form_word(const struct world *w, const void *word)
{
	const struct words *t = &w->page;

	if (word == &t->base_pri)
		return "base_pri";
	if (word == &t->new_pri)
		return "new_pri";
	if (word == &t->to_raise)
		return "to_raise";
	if (word == &t->start)
		return "start";
	return word == &t->level ? "level" : "PO.old_pri";
}

#include "priority_kernel.h"
