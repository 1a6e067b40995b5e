/* SPDX-License-Identifier: MIT */

/* The model of protocol/lazy_floor.h. GAP opens a gap of the paper again. */
#define LOGGED	 uint64_t
#define ACCESSES 4
#include "replay.h"

#include "lazy_floor.h"

struct words {
	uint64_t claim, raised;
};

enum { IS_LAZY = 1 };

#include "edf.h"

/* ---- The task's half, as plf_section.h puts it together ----------------------- */

static inline void form_get(struct world *w, unsigned resource)
{
	plf_store64(&w->saved[resource], plf_floor_enter(&w->page.claim, floor_of[resource]));
}

static inline void form_release(struct world *w, unsigned resource)
{
	uint64_t before = plf_load64(&w->saved[resource]);

	if (plf_floor_leave(&w->page.claim, &w->page.raised, before))
		call(w, 0, 0);
}

/* ---- The kernel's half ------------------------------------------------------------- */

static inline void form_begin(struct world *w, unsigned task)
{
	w->task[task].words.claim = PLF_FLOOR_NONE;
	w->task[task].words.raised = PLF_FLOOR_NONE;
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
	(void)words; /* the words have no instants */
}

static inline void form_forget(const struct task *t, struct words *words)
{
	(void)t, (void)words;
}

/* The kernel looks at the words only when the task may lose the processor. */
static inline void form_ready(struct world *w)
{
	(void)w;
}

static inline void form_raise(struct world *w, uint64_t instant)
{
	plf_floor_raise(&w->task[w->running].rank.floor, &w->page.claim, &w->page.raised, instant,
			least_of(w->running));
}

static inline void form_called(struct world *w, unsigned service, uint64_t argument)
{
	struct plf_floor *floor = &w->task[w->running].rank.floor;

	(void)service, (void)argument;
	for (unsigned i = 0; GAP == GAP_SINCE && i < floor->raises; i++)
		floor->raise[i].since = CLOCK;
	plf_floor_settle(floor, &w->page.claim, &w->page.raised, least_of(w->running));
}

/* ---- For the rules and the printed way -------------------------------------------------- */

/* lazy_floor.h, I3: a ready task that is earlier than the deadline below a raise came at the
 * raise's `since` or after. */
static inline bool came_since(const struct world *w, const struct plf_floor *floor)
{
	uint64_t below = floor->own;

	for (unsigned k = 0; k < floor->raises; k++) {
		for (unsigned i = 0; i < w->ready; i++) {
			uint64_t own = w->task[w->queue[i]].rank.floor.own;
			uint64_t arrived = own - relative_of[w->queue[i]];

			if (plf_is_earlier(own, below) &&
			    plf_is_earlier(arrived, floor->raise[k].since))
				return false;
		}
		below = floor->raise[k].since + floor->raise[k].floor;
	}
	return true;
}

static inline uint64_t last_raise(const struct plf_floor *floor)
{
	return floor->raises > 0 ? floor->raise[floor->raises - 1].floor : PLF_FLOOR_NONE;
}

static inline void form_look(struct world *w)
{
	const struct task *t = &w->task[w->running];

	demand(w, came_since(w, &t->rank.floor), BREAKS_SINCE);
	demand(w, w->page.raised == last_raise(&t->rank.floor), BREAKS_WORDS);
	if (t->depth == 0)
		demand(w, w->page.claim == PLF_FLOOR_NONE && w->page.raised == PLF_FLOOR_NONE,
		       BREAKS_WORDS);
}

static inline void form_spoil(struct world *w, uint64_t value)
{
	w->page.claim = value;
}

static inline const char *form_word(const struct world *w, const void *word)
{
	if (word == &w->page.claim)
		return "claim";
	return word == &w->page.raised ? "raised" : "saved";
}

#include "edf_kernel.h"
