/* SPDX-License-Identifier: MIT */
#ifndef STEP_ACTOR_H
#define STEP_ACTOR_H

/*
 * The threads of a scene, and the oracle that watches them. An actor sleeps until
 * it is woken, then runs its activity: the wake hook first, then its sections.
 * What the oracle knows it writes down itself, in plain memory beside the
 * protocol; it never looks at the protocol's words to judge it.
 */
#include "arrival.h"

#include <pthread.h>

enum { ACTORS = 3, LOCKS = 3 };

struct actor {
	int index; /* 0 is the holder, of the lowest priority */
	int priority;
	void (*activity)(struct actor *self);
	void (*before)(void); /* called when it was woken; NULL: nothing */
	struct trace *trace;  /* of the activity, if wanted */
	uint32_t wake;
	pthread_t thread;
	int stat; /* /proc/self/task/TID/stat */
	/* The oracle's notes. */
	bool active; /* from being woken to the end of the activity */
	bool asleep; /* by its own wish: a thread that runs meanwhile does it no wrong */
	bool slept; /* so, in a section: a thread that came meanwhile may hold what it wants next */
	int wants;  /* the lock that it is entering, from 1; 0: none */
	unsigned within; /* the locks that it may hold, as bits */
	int inside;	 /* highest ceiling among sections it surely is in */
	int around;	 /* and among those it may be in: entering and leaving included */
	int sections;	 /* outermost sections begun */
	uint64_t waits;	 /* at gates, in this activation: the library's count */
	int blocker;	 /* the section of a lower actor that ran while it was active, 0: none */
};

/* Two plain words that are equal whenever no thread is inside. */
struct guarded {
	long first, second;
};

extern struct actor actor[ACTORS];
extern struct guarded guarded[LOCKS];

/* What was found wrong, or NULL. The first finding stays. */
extern const char *violation;
void violate(const char *what);

/* The oracle's look at the scene; called by an actor in its own code. */
void look(struct actor *self);

/* The body: plain loads and stores, that a missing compiler barrier lets slip. */
static inline void touch(int which)
{
	struct guarded *g = &guarded[which];

	if (g->first != g->second)
		violation = "two threads are in one section";
	g->first++;
	g->second++;
}

/* Highest priority of the kernel for that actor now. */
int kernel_priority(const struct actor *a);

/* Not asleep, for whatever reason; perhaps preempted. */
bool is_runnable(const struct actor *a);

/* Wake an actor: the `comes` of an arrival. It preempts the victim. */
bool enter_scene(void *actor);

#endif
