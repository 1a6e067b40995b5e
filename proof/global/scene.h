/* SPDX-License-Identifier: MIT */
#ifndef GLOBAL_SCENE_H
#define GLOBAL_SCENE_H

#include "oracle.h"

#include <plafond.h>

/* Mutexes 0 and 1 are across CPUs; 2 is of CPU 0 alone, and has this ceiling. */
enum { GLOBALS = 2, LOCAL_CEILING = 45 };

/* What happens at a boundary of actor 0, the holder. */
enum way {
	COMES,	   /* a more urgent thread of its CPU comes */
	GOES_ON,   /* the thread of the other CPU comes, while the holder stands still */
	IS_FREED,  /* the occupant leaves, while the holder stands still */
	IS_KILLED, /* of the first comer's: others stand in line then, and it ends there */
	IS_SEEN,   /* of the first comer's: it stands still until the other CPU is quiet */
	IS_MOVED,  /* to the other CPU, as by taskset; then the thread of this one comes */
	IS_LENT,   /* a thread without the hook comes, and lets that of the other CPU wait */
};

/* Actor 0 is the holder, of CPU 0; actor 1 the comer. */
struct scene {
	const char *name;
	const char *about;
	int priority[ACTORS];
	bool is_away[ACTORS];			      /* of CPU 1 */
	void (*activity[ACTORS])(struct actor *self); /* NULL: not in the scene */
	enum way way;
	bool occupied;	 /* actor 2 has mutex 0 before, until no thread of CPU 0 can go on */
	bool dies;	 /* there, instead of unlocking */
	bool lined;	 /* and actor 1 is in line */
	bool pairs;	 /* every pair of boundaries, too */
	unsigned sleeps; /* at how many gates the comer sleeps at most */
};

extern const struct scene scenes[];
extern const size_t scene_count;
extern const struct scene *scene;

extern plf_mutex_t lock[LOCKS];

/* ---- What the activities note besides, anew in each run ---------------- */

extern int deaths_reported;
extern bool died, died_inside; /* wherever it was; surely inside */

extern uint32_t occupied;  /* the occupant is inside */
extern uint32_t may_leave; /* futex: and no longer need be */

/* The calling actor ends at once: the kernel alone knows. */
void vanish(struct actor *self) __attribute__((noreturn));

/* The other CPU is to be quiet when it returns; in the activities. */
void free_occupant(void);

#endif
