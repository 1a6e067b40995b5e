/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_BETWEEN_CORES_H
#define DESIGN_BETWEEN_CORES_H

/*
 * Cores that run halves of a protocol at once. Any core may take the next step, which is one
 * access. The form decides when a core begins a half, and judges the result of each half.
 *
 * The form (event_word.c, inbox.c, ioc_lanes.c, mpcp_queue.c, spinlock.c) first defines struct
 * words, struct facts for its judge, and RULES. Then it includes this file, and defines the
 * functions declared here.
 */
#ifndef HAS_CORES
#define HAS_CORES 3
#endif
enum { CORES = HAS_CORES, IDLE = 0 };

struct core {
	struct half half; /* the half under way */
	uint8_t doing;	  /* the number of the half, or IDLE */
	uint8_t with;	  /* the argument of the half */
};

struct world {
	struct words words;
	struct core core[CORES];
	struct facts facts;
	uint8_t broken; /* 1 + the broken rule; 0: none */
};

#include "rules.h"

#include <string.h>

/* Runs the core's half. */
static uint64_t form_run(struct world *w, const struct core *core);

/* Judges a half that has ended. */
static void form_ended(struct world *w, unsigned core, unsigned did, unsigned with,
		       uint64_t result);

static void form_begin(struct world *w);

/* Further events, numbered from FIRST_CHOICE: whether an event may happen, and the event itself. */
enum { FIRST_CHOICE = CORES };
static bool form_may(const struct world *w, unsigned choice);
static void form_act(struct world *w, unsigned choice);

/* Checks the rules that hold in every state. */
static void form_look(struct world *w);

static const char *form_half(unsigned doing);

/* ---- A core's steps ----------------------------------------------------------- */

static struct world *stepped; /* the world in which a half runs */
static unsigned stepping;     /* the core that runs the half */

static inline void begin_half(struct world *w, unsigned core, unsigned doing, unsigned with)
{
	w->core[core].doing = (uint8_t)doing;
	w->core[core].with = (uint8_t)with;
	say("core %u begins %s(%u)", core, form_half(doing), with);
}

static void note_access(enum access kind, const void *word, uint64_t value)
{
	say("core %u in %s: word at %td %s %#llx", stepping,
	    form_half(stepped->core[stepping].doing),
	    (const char *)word - (const char *)&stepped->words, kind == ACCESS_STORE ? ":=" : "is",
	    (unsigned long long)value);
}

static _Noreturn void note_endless(void)
{
	demand(stepped, false, BREAKS_ENDLESS);
	longjmp(replay.stop, 1);
}

static bool half_ends(struct world *w, unsigned core, uint64_t *result)
{
	if (setjmp(replay.stop) != 0)
		return false;
	*result = form_run(w, &w->core[core]);
	return true;
}

static void one_access(struct world *w, unsigned core)
{
	unsigned did = w->core[core].doing, with = w->core[core].with;
	uint64_t result = 0;
	bool has_ended;

	stepped = w;
	stepping = core;
	replay.half = &w->core[core].half;
	replay.place = 0;
	replay.has_moved = false;
	has_ended = half_ends(w, core, &result);
	replay.half = NULL;
	if (!has_ended)
		return;
	memset(&w->core[core], 0, sizeof(w->core[core]));
	say("core %u has ended %s(%u): %#llx", core, form_half(did), with,
	    (unsigned long long)result);
	form_ended(w, core, did, with, result);
}

/* ---- For model.pml ------------------------------------------------------------- */

const char world_size[sizeof(struct world)];

void world_begin(void *world)
{
	struct world *w = world;

	memset(w, 0, sizeof(*w));
	form_begin(w);
}

bool world_may(const void *world, unsigned action)
{
	const struct world *w = world;

	if (w->broken)
		return false;
	return action < CORES ? w->core[action].doing != IDLE : form_may(w, action);
}

bool world_is_right(const void *world)
{
	return ((const struct world *)world)->broken == 0;
}

#include "queries.h"

void world_act(void *world, unsigned action)
{
	struct world *w = world;

	if (action < CORES)
		one_access(w, action);
	else
		form_act(w, action);
	if (!w->broken)
		form_look(w);
	look_for_queries(w);
}

#endif
