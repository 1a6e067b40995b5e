/* SPDX-License-Identifier: MIT */

/* The model of protocol/uprio_nprio.h. */
#include "replay.h"

#include "uprio_nprio.h"

struct words {
	uint32_t uprio, nprio;
};

enum { CALLS_CHANGE = 0, STAYS_RAISED = 1 };

#include "priority.h"
#include "uprio.h"

static inline void raise_to(struct world *w, uint32_t prio)
{
	plf_nprio_raise(&w->page.uprio, prio);
}

static inline bool lower_to(struct world *w, uint32_t prio)
{
	return plf_nprio_lower(&w->page.uprio, &w->page.nprio, prio);
}

/* ---- The kernel's half ---------------------------------------------------------- */

static inline void form_load(struct world *w, unsigned task)
{
	w->page.uprio = w->task[task].rank.level;
	plf_nprio_publish(&w->page.nprio, first_level(w));
}

static inline void form_entry(struct world *w)
{
	(void)w;
}

static inline void form_ready(struct world *w)
{
	if (w->running != NO_TASK)
		plf_nprio_publish(&w->page.nprio, first_level(w));
}

static inline uint32_t form_level(struct world *w)
{
	return plf_nprio_bound(&w->page.uprio, base_of[w->running], highest_user_of(w->running));
}

/* ---- For the rules and the printed way --------------------------------------------- */

/* A task may call only if a task above the lowered level came since the outermost section began. */
static inline bool form_may_call(const struct world *w)
{
	const struct task *t = &w->task[w->running];

	return t->is_leaving && t->rank.came > w->page.uprio;
}

static inline void form_look(struct world *w)
{
	demand(w, first_level(w) == w->page.nprio, BREAKS_WORDS);
	look_at_uprio(w);
}

static inline const char *form_word(const struct world *w, const void *word)
{
	if (word == &w->page.uprio)
		return "uprio";
	return word == &w->page.nprio ? "nprio" : "saved";
}

#include "priority_kernel.h"
