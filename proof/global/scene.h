/* SPDX-License-Identifier: MIT */
#ifndef GLOBAL_SCENE_H
#define GLOBAL_SCENE_H

#include "oracle.h"

#include <plafond.h>

/* Mutexes 0 and 1 are shared across CPUs. Mutex 2 belongs to CPU 0, and has this ceiling. */
enum { GLOBALS = 2, LOCAL_CEILING = 45 };

/* The event at a boundary of actor 0, the holder, or if stated of actor 1, the first comer. */
enum way {
	COMES,	   /* a more urgent thread of its CPU comes */
	GOES_ON,   /* the thread of the other CPU comes, while the holder stands still */
	IS_FREED,  /* the occupant leaves, while the holder stands still */
	IS_KILLED, /* boundary of the first comer: others are in line, and it ends there */
	IS_SEEN,   /* boundary of the first comer: it stands still until the other CPU is quiet */
	IS_MOVED,  /* the holder is moved to the other CPU, as by taskset; then the comer comes */
	IS_LENT, /* a thread without the hook comes; meanwhile the thread of the other CPU waits */
};

/* Actor 0 is the holder, on CPU 0. Actor 1 is the comer. */
struct scene {
	const char *name;
	const char *about;
	int priority[ACTORS];
	bool is_away[ACTORS];			      /* belongs to CPU 1 */
	void (*activity[ACTORS])(struct actor *self); /* NULL: not in the scene */
	enum way way;
	bool occupied;	 /* actor 2 has mutex 0 first, until no thread of CPU 0 can go on */
	bool dies;	 /* the occupant dies instead of unlocking */
	bool lined;	 /* actor 1 is in line behind the occupant */
	bool pairs;	 /* also every pair of boundaries */
	unsigned sleeps; /* the most gates at which the comer sleeps */
};

extern const struct scene scenes[];
extern const size_t scene_count;
extern const struct scene *scene;

extern plf_mutex_t lock[LOCKS];

/* ---- Notes of the activities, cleared before each run ------------------- */

extern int deaths_reported;
extern bool died, died_inside; /* anywhere; certainly inside a section */

extern uint32_t occupied;  /* the occupant is inside */
extern uint32_t may_leave; /* futex: the occupant may leave */

/* The calling actor ends at once; only the kernel notices. */
void vanish(struct actor *self) __attribute__((noreturn));

/* For activities: the occupant may leave. Returns when the other CPU is quiet. */
void free_occupant(void);

#endif
