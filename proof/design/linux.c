/* SPDX-License-Identifier: MIT */

/*
 * protocol/lazy_ceiling.h as libplafond's backend `module` and plafond.ko use it, in the strength
 * STRENGTH. No thread suspends itself in a section, so a lock is always free.
 */
#define LOGGED	 uint64_t
#define ACCESSES 12
#define SAVED	 uint64_t /* the locks' words */
#include "replay.h"

#define aligned(bytes) /* states of Spin are not aligned */
#include "lazy_ceiling.h"
#undef aligned

struct words {
	struct plf_lazy lazy;
};

enum { CALLS_CHANGE = 1, STAYS_RAISED = 0 };
enum { KEY = 1000, NAMES = 32 };

#include "priority.h"

static inline uint32_t key_of(unsigned resource)
{
	return KEY + ceiling_of[resource];
}

/* ---- The task's half ------------------------------------------------------------- */

static inline enum plf_lazy_outcome enter_fast(struct plf_lazy *t, uint64_t *lock)
{
	return STRENGTH == PLF_LAZY_STRICT ? plf_lazy_enter_strict(t, lock)
					   : plf_lazy_enter_robust(t, lock);
}

static inline enum plf_lazy_outcome leave_fast(struct plf_lazy *t, uint64_t *lock)
{
	return STRENGTH == PLF_LAZY_STRICT ? plf_lazy_leave_strict(t, lock)
					   : plf_lazy_leave_robust(t, lock);
}

static inline void form_get(struct world *w, unsigned resource)
{
	struct plf_lazy *t = &w->page.lazy;
	uint64_t *lock = &w->saved[resource];

	if (enter_fast(t, lock) == PLF_LAZY_DONE)
		return;
	plf_lazy_claim(t, STRENGTH, key_of(resource));
	demand(w, plf_lazy_take(t, STRENGTH, lock, key_of(resource)), BREAKS_EXCLUSION);
}

static inline void form_release(struct world *w, unsigned resource)
{
	struct plf_lazy *t = &w->page.lazy;
	uint64_t *lock = &w->saved[resource];
	enum plf_lazy_outcome outcome = leave_fast(t, lock);

	if (outcome == PLF_LAZY_SLOW) {
		demand(w, !plf_lazy_give(lock, key_of(resource)), BREAKS_EXCLUSION);
		outcome = plf_lazy_withdraw(t, STRENGTH);
	}
	if (outcome == PLF_LAZY_RAISED)
		call(w, 0, 0);
}

/* ---- The kernel's half ------------------------------------------------------------- */

static inline void form_prepare(struct world *w)
{
	for (unsigned r = 0; r < RESOURCES; r++)
		w->saved[r] = key_of(r);
}

static inline void form_begin(struct world *w, unsigned task)
{
	memset(&w->task[task].words, 0, sizeof(w->page));
	plf_lazy_prepare(&w->task[task].words.lazy, STRENGTH, NAMES * (task + 1),
			 KEY + base_of[task]);
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

static inline void form_ready(struct world *w)
{
	(void)w;
}

static inline uint32_t asked_for(const struct world *w)
{
	uint32_t base = base_of[w->running];
	uint32_t wanted = plf_lazy_decide(&w->page.lazy);
	uint32_t limit = highest_user_of(w->running);

	if (wanted == 0)
		return base;
	return base + wanted - 1 < limit ? base + wanted - 1 : limit;
}

static inline uint32_t given(struct world *w, uint32_t level)
{
	uint32_t base = base_of[w->running];

	plf_lazy_report(&w->page.lazy, level > base ? level - base + 1 : 0);
	return level;
}

static inline uint32_t form_level(struct world *w)
{
	uint32_t level = w->task[w->running].rank.level;
	uint32_t asked = asked_for(w);

	if (first_level(w) <= level || asked <= level)
		return level;
	say("the kernel gives T%u priority %u", w->running + 1U, asked);
	return given(w, asked);
}

static inline void form_called(struct world *w, unsigned service, uint64_t argument)
{
	(void)service, (void)argument;
	w->task[w->running].rank.level = given(w, asked_for(w));
}

/* ---- For the rules and the printed way --------------------------------------------- */

static inline uint32_t form_known(const struct world *w)
{
	return w->task[w->running].rank.level;
}

/* A task may call only to leave, and if a task above its base came since the outermost section
 * began. */
static inline bool form_may_call(const struct world *w)
{
	const struct task *t = &w->task[w->running];

	return t->is_leaving && t->rank.came > base_of[w->running];
}

static inline void form_look(struct world *w)
{
	const struct plf_lazy *t = &w->page.lazy;

	if (w->task[w->running].depth == 0)
		demand(w, t->claim[STRENGTH] == t->idle && t->raised == 0, BREAKS_WORDS);
}

static inline void form_spoil(struct world *w, uint32_t value)
{
	w->page.lazy.claim[STRENGTH] = PLF_LAZY_INSIDE + value;
}

static inline const char *form_word(const struct world *w, const void *word)
{
	if (word == &w->page.lazy.claim[STRENGTH])
		return "claim";
	return word == &w->page.lazy.raised ? "raised" : "lock";
}

#include "priority_kernel.h"
