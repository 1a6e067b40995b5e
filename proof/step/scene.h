/* SPDX-License-Identifier: MIT */
#ifndef STEP_SCENE_H
#define STEP_SCENE_H

#include "actor.h"

#include <plafond.h>

/* Which actor does what with which locks. Priorities rise from actor 0 to actor 2. */
struct scene {
	const char *name;
	const char *about;
	int priority[ACTORS];
	int ceiling[LOCKS];
	void (*activity[ACTORS])(struct actor *self); /* NULL: not in the scene */
	bool inlined;	  /* alone, the holder never leaves the library's inline halves */
	bool fresh;	  /* the locks are new in each run: first use takes the slow path */
	bool recursive;	  /* the locks are */
	bool robust_only; /* an actor is suspended in a section, which strict excludes */
	bool mortal;	  /* actor 1 dies in its section: the next locker must learn of it, once */
};

extern plf_mutex_t lock[LOCKS];

extern const struct scene scenes[];
extern const size_t scene_count;

/* How often lock() reported a dead owner in this run. */
extern int deaths_reported;

#endif
