/* SPDX-License-Identifier: MIT */
#ifndef PTHREAD_SCENE_H
#define PTHREAD_SCENE_H

#include "actor.h"

#include <pthread.h>
#include <semaphore.h>

/* The event at a boundary of the holder, or if stated of the first comer. */
enum way {
	COMES,	   /* a more urgent thread of the same CPU comes */
	BOTH_COME, /* both comers come, one after the other */
	CALLS,	   /* a signal handler wakes the first comer, and sleeps */
	GOES_ON,   /* the thread of the other CPU comes, while the holder stands still */
	IS_MOVED,  /* the holder is moved to the other CPU, as by taskset; then the comer comes */
	IS_CANCELLED, /* boundary of the first comer: the second cancels it */
	IS_CALLED,    /* boundary of the first comer: the holder wakes up */
	IS_KILLED,    /* boundary of the first comer: it ends there, without a cleanup */
	FREES_AWAY, /* the holder frees a mutex of the CPU that it has left; a thread comes there */
	IS_LENT,    /* the first comer comes; the second, on the other CPU, waits for the holder */
};

/* The state of the mutexes before each run. */
enum made {
	LOCAL,	 /* of the holder's CPU */
	FOREIGN, /* of the other CPU */
	UNUSED,
	SHARED,
	CARRIED, /* local, but the holder has taken the first to the other CPU */
};

/* The actors' activities and mutexes. Priorities rise from actor 0, the holder, to actor 2. */
struct scene {
	const char *name;
	const char *about;
	int priority[ACTORS];
	int ceiling[LOCKS];
	void (*activity[ACTORS])(struct actor *self); /* NULL: not in the scene */
	enum way way;
	enum made made;
	unsigned sleeps;  /* the most gates at which a lone comer sleeps */
	bool pairs;	  /* also pairs of boundaries; on two CPUs: at the holder's commits */
	bool begins;	  /* also the few pairs right before a sequence and inside the next */
	bool overtaken;	  /* pairs: the holder right before a sequence, then the other anywhere */
	bool robust;	  /* the mutexes are robust, with PLAFOND_ROBUST=1 */
	bool lost;	  /* and their state cannot be recovered */
	bool mortal;	  /* actor 1 ends inside its section */
	bool round_robin; /* actor 1 is SCHED_RR, so it is eager */
	bool rescued;	  /* when all sleep, the least urgent thread of all wakes them */
};

extern const struct scene scenes[];
extern const size_t scene_count;

/* On a separate page, which can be made inaccessible. */
struct stock {
	pthread_mutex_t mutex[LOCKS];
	pthread_cond_t cond;
};

extern struct stock *stock;
extern int ceilings[LOCKS];

/* ---- Notes of the activities, cleared before each run ------------------- */

extern int posted;	    /* number of posts; mutex 0 guards it */
extern int deaths_reported; /* how often a lock reported a dead owner */
extern int timed_out;	    /* how often a timed lock timed out */
extern bool died;	    /* an owner ended, inside its section or elsewhere */
extern bool died_inside;    /* an owner certainly ended inside its section */
extern bool ended;	    /* it ended by pthread_exit(), so it removes its frames */
extern bool freed;	    /* the stock is no longer accessible */
extern bool holds;	    /* the holder is inside */
extern bool came;	    /* the comer has done its part */
extern bool kept;	    /* the comer kept the holder waiting */
extern bool called;	    /* the comer called the second comer to wait for it */
extern bool gave_up;	    /* the second comer waits no longer */

extern sem_t bell; /* wakes the holder */

void on_bed(void);

/* Wakes all waiters, for the rescuer. */
void rescue(void);

/* The calling actor ends at once; only the kernel notices. */
void vanish(struct actor *self) __attribute__((noreturn));

#endif
