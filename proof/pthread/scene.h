/* SPDX-License-Identifier: MIT */
#ifndef PTHREAD_SCENE_H
#define PTHREAD_SCENE_H

#include "actor.h"

#include <pthread.h>
#include <semaphore.h>

/* What happens at a boundary. */
enum way {
	COMES,	      /* a more urgent thread of the same CPU comes */
	BOTH_COME,    /* two of them, one after the other */
	CALLS,	      /* a signal handler wakes that thread, and sleeps */
	GOES_ON,      /* the thread of the other CPU comes, while the holder stands still */
	IS_MOVED,     /* to the other CPU, as by taskset; then the thread of this one comes */
	IS_CANCELLED, /* of the first comer's: the second cancels it */
	IS_CALLED,    /* of the first comer's: the holder wakes up */
	IS_KILLED,    /* of the first comer's: it ends there, without a word */
	FREES_AWAY,   /* of the other CPU, where it frees a mutex of this one: a thread of this one
			 comes */
	IS_LENT, /* the first comer comes; the second, of the other CPU, waits for the holder */
};

/* What the mutexes are before each run. */
enum made {
	LOCAL,	 /* of the holder's CPU */
	FOREIGN, /* of the other CPU */
	UNUSED,
	SHARED,
	CARRIED, /* local, and the holder has the first, and went to the other CPU with it */
};

/* Which actor does what with which mutexes. Priorities rise from actor 0 to actor 2. */
struct scene {
	const char *name;
	const char *about;
	int priority[ACTORS];
	int ceiling[LOCKS];
	void (*activity[ACTORS])(struct actor *self); /* NULL: not in the scene */
	enum way way;
	enum made made;
	unsigned sleeps; /* at how many gates a lone comer sleeps at most */
	bool pairs;	 /* every pair of boundaries, too; on two CPUs: where the holder commits */
	bool begins;	 /* and, few, pairs of one right before a sequence and one in it */
	bool overtaken;	 /* pairs: the holder right before a sequence, then the other wherever it is
			  */
	bool robust;	 /* the mutexes, with PLAFOND_ROBUST=1 */
	bool lost;	 /* and their state cannot be recovered */
	bool mortal;	 /* actor 1 ends inside its section */
	bool round_robin; /* actor 1 is SCHED_RR: eager */
	bool rescued;	  /* when all sleep, the least urgent thread of all lets them go on */
};

extern const struct scene scenes[];
extern const size_t scene_count;

/* On a page of its own, which can be taken away. */
struct stock {
	pthread_mutex_t mutex[LOCKS];
	pthread_cond_t cond;
};

extern struct stock *stock;
extern int ceilings[LOCKS];

/* ---- What the activities note besides, anew in each run ---------------- */

extern int posted;	    /* guarded by mutex 0: what is waited for */
extern int deaths_reported; /* how often a lock reported a dead owner, */
extern int timed_out;	    /* or that its time is over */
extern bool died;	    /* an owner ended inside, or wherever it was */
extern bool died_inside;    /* surely inside */
extern bool ended;	    /* in good order, so that it takes its frames off */
extern bool freed;	    /* the stock is no longer there */
extern bool holds;	    /* the holder is inside */
extern bool came;	    /* the comer has done its part */
extern bool kept;	    /* the comer kept the holder waiting, */
extern bool called;	    /* and called the second comer to wait for it, */
extern bool gave_up;	    /* which no longer does */

extern sem_t bell; /* wakes the holder */

void on_bed(void);

/* How the rescuer lets all go on. */
void rescue(void);

/* The calling actor ends at once: the kernel alone knows. */
void vanish(struct actor *self) __attribute__((noreturn));

#endif
