/* SPDX-License-Identifier: MIT */

/* The model of protocol/uprio_kprio.h. EAGER: the kernel synchronises at each entry, not only for
 * decisions. */
#include "replay.h"

#include "uprio_kprio.h"

struct words {
	uint32_t uprio, kprio;
};

enum { CALLS_CHANGE = 0, STAYS_RAISED = 1 };

#include "priority.h"
#include "uprio.h"

static inline void raise_to(struct world *w, uint32_t prio)
{
	plf_kprio_raise(&w->page.uprio, prio);
}

static inline bool lower_to(struct world *w, uint32_t prio)
{
	return plf_kprio_lower(&w->page.uprio, &w->page.kprio, prio);
}

/* ---- The kernel's half ---------------------------------------------------------- */

static inline void note_entry(struct world *w);

static inline uint32_t synchronised(struct world *w)
{
	note_entry(w);
	return plf_kprio_sync(&w->page.uprio, &w->page.kprio, base_of[w->running],
			      highest_user_of(w->running));
}

static inline void form_load(struct world *w, unsigned task)
{
	w->page.uprio = w->task[task].rank.level;
	w->page.kprio = w->task[task].rank.level;
}

static inline void form_entry(struct world *w)
{
	if (EAGER && w->running != NO_TASK)
		w->task[w->running].rank.level = synchronised(w);
}

static inline void form_ready(struct world *w)
{
	(void)w;
}

static inline uint32_t form_level(struct world *w)
{
	return EAGER ? w->task[w->running].rank.level : synchronised(w);
}

/* ---- For the rules and the printed way --------------------------------------------- */

/* A task may call only if the kernel was entered since the section that it leaves began. */
static inline bool form_may_call(const struct world *w)
{
	const struct task *t = &w->task[w->running];

	return t->is_leaving && (t->rank.seen >> (t->depth - 1)) & 1;
}

static inline void form_look(struct world *w)
{
	demand(w, first_level(w) <= w->page.kprio, BREAKS_WORDS);
	look_at_uprio(w);
}

static inline const char *form_word(const struct world *w, const void *word)
{
	if (word == &w->page.uprio)
		return "uprio";
	return word == &w->page.kprio ? "kprio" : "saved";
}

#include "priority_kernel.h"
