/* SPDX-License-Identifier: MIT */
#ifndef STEP_SCENE_H
#define STEP_SCENE_H

#include "actor.h"

#include <plafond.h>

/* The activities, priorities and locks of the actors. Priorities rise from actor 0 to actor 2. */
struct scene {
	const char *name;
	const char *about;
	int priority[ACTORS];
	int ceiling[LOCKS];
	void (*activity[ACTORS])(struct actor *self); /* NULL: not in the scene */
	bool inlined;	  /* the holder, if alone, never leaves the library's inline halves */
	bool fresh;	  /* the locks are new in each run: first use takes the slow path */
	bool recursive;	  /* the locks are recursive */
	bool robust_only; /* an actor is suspended in a section, which strict excludes */
	bool mortal;	  /* actor 1 dies in its section: exactly one locker must get EOWNERDEAD */
};

extern plf_mutex_t lock[LOCKS];

extern const struct scene scenes[];
extern const size_t scene_count;

/* The number of dead owners that lock() reported in this run. */
extern int deaths_reported;

#endif
