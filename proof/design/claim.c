/* SPDX-License-Identifier: MIT */

/* The model of protocol/lazy_claim.h. SIMPLY selects its simple form. */
#include "replay.h"

#include "lazy_claim.h"

struct words {
	uint32_t claim, raised;
};

enum { CALLS_CHANGE = !SIMPLY, STAYS_RAISED = SIMPLY };

#include "priority.h"

/* ---- The task's half, as plf_section.h puts it together ----------------------- */

static inline void form_get(struct world *w, unsigned resource)
{
	uint32_t before = plf_claim_enter(&w->page.claim, ceiling_of[resource]);

	if (SIMPLY && plf_claim_entered_simply(&w->page.raised, before))
		call(w, 0, 0);
	plf_store32(&w->saved[resource], before);
}

static inline void form_release(struct world *w, unsigned resource)
{
	uint32_t before = plf_load32(&w->saved[resource]);

	if ((SIMPLY ? plf_claim_leave_simply : plf_claim_leave)(&w->page.claim, &w->page.raised,
								before))
		call(w, 0, 0);
}

/* ---- The kernel's half ------------------------------------------------------------- */

static inline void form_prepare(struct world *w)
{
	(void)w;
}

static inline void form_begin(struct world *w, unsigned task)
{
	memset(&w->task[task].words, 0, sizeof(w->page));
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

static inline void say_raised(const struct world *w, uint32_t before, uint32_t level)
{
	if (level != before)
		say("the kernel gives T%u priority %u", w->running + 1U, level);
}

static inline void form_ready(struct world *w)
{
	(void)w;
}

static inline void note_entry(struct world *w);

static inline uint32_t form_level(struct world *w)
{
	uint32_t before = w->task[w->running].rank.level;
	uint32_t highest = highest_user_of(w->running);
	uint32_t level = before;

	note_entry(w);
	if (SIMPLY)
		level = plf_claim_raise_simply(&w->page.claim, &w->page.raised, before, highest);
	else if (first_level(w) > before)
		level = plf_claim_raise(&w->page.claim, &w->page.raised, before, highest);
	if (level != before)
		say("the kernel gives T%u priority %u", w->running + 1U, level);
	return level;
}

static inline void form_called(struct world *w, unsigned service, uint64_t argument)
{
	uint32_t (*settle)(uint32_t *, uint32_t *, uint32_t, uint32_t) =
		SIMPLY ? plf_claim_settle_simply : plf_claim_settle;

	(void)service, (void)argument;
	w->task[w->running].rank.level = settle(&w->page.claim, &w->page.raised,
						base_of[w->running], highest_user_of(w->running));
}

/* ---- For the rules and the printed way --------------------------------------------- */

static inline uint32_t form_known(const struct world *w)
{
	return w->task[w->running].rank.level;
}

/*
 * Frugal form: a task may call only to leave, and if a task above its base came since the outermost
 * section began. Simple form: it may call if the kernel decided anything since then.
 */
static inline bool form_may_call(const struct world *w)
{
	const struct task *t = &w->task[w->running];

	return SIMPLY ? t->rank.seen & 1 : t->is_leaving && t->rank.came > base_of[w->running];
}

static inline void form_spoil(struct world *w, uint32_t value)
{
	w->page.claim = value;
}

static inline void form_look(struct world *w)
{
	if (w->task[w->running].depth == 0)
		demand(w, w->page.claim == 0 && w->page.raised == 0, BREAKS_WORDS);
}

static inline const char *form_word(const struct world *w, const void *word)
{
	if (word == &w->page.claim)
		return "claim";
	return word == &w->page.raised ? "raised" : "saved";
}

#include "priority_kernel.h"
