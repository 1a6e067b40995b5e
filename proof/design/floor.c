/* SPDX-License-Identifier: MIT */

/* protocol/lazy_floor.h. GAP: what the paper leaves open is left open. */
#define LOGGED	 uint64_t
#define ACCESSES 4
#include "replay.h"

#include "lazy_floor.h"

struct words {
	uint64_t claim, raised;
};

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

/* ---- The kernel's words ------------------------------------------------------------ */

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

static inline const char *form_word(const struct world *w, const void *word)
{
	if (word == &w->page.claim)
		return "claim";
	return word == &w->page.raised ? "raised" : "saved";
}

#include "edf_kernel.h"
