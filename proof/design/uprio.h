/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_UPRIO_H
#define DESIGN_UPRIO_H

/* Common parts of UPRIO|KPRIO and UPRIO|NPRIO. */

/* ---- The task's half, as plf_section.h puts it together ----------------------- */

static inline void raise_to(struct world *w, uint32_t prio);
static inline bool lower_to(struct world *w, uint32_t prio);

static inline void form_get(struct world *w, unsigned resource)
{
	uint32_t before = plf_load32(&w->page.uprio);
	uint32_t ceiling = ceiling_of[resource];

	raise_to(w, before > ceiling ? before : ceiling);
	plf_store32(&w->saved[resource], before);
}

static inline void form_release(struct world *w, unsigned resource)
{
	if (lower_to(w, plf_load32(&w->saved[resource])))
		call(w, 0, 0);
}

/* ---- The kernel's half: a task off the processor has a level, and no words ------- */

static inline void form_prepare(struct world *w)
{
	(void)w;
}

static inline void form_begin(struct world *w, unsigned task)
{
	(void)w, (void)task;
}

static inline void form_keep(struct world *w, unsigned task)
{
	(void)w, (void)task;
}

/* The call has no effect except that the kernel decides again. */
static inline void form_called(struct world *w, unsigned service, uint64_t argument)
{
	(void)w, (void)service, (void)argument;
}

/* ---- For the rules ------------------------------------------------------------------ */

static inline uint32_t form_known(const struct world *w)
{
	return w->page.uprio;
}

static inline void form_spoil(struct world *w, uint32_t value)
{
	w->page.uprio = value;
}

/* No ready task is above uprio, unless the task has lowered uprio and is about to look or call. */
static inline void look_at_uprio(struct world *w)
{
	const struct task *t = &w->task[w->running];

	demand(w, first_level(w) <= w->page.uprio || (t->half.is_under_way && t->is_leaving),
	       BREAKS_LOST);
}

#endif
