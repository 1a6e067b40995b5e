/* SPDX-License-Identifier: MIT */
#ifndef STEP_ACTOR_H
#define STEP_ACTOR_H

/*
 * The threads of a scene, and the oracle that watches them. An actor sleeps until it is woken. Then
 * it runs its activity: first the wake hook, then its sections. The oracle keeps separate notes, in
 * plain memory beside the protocol. It never judges by the protocol's words.
 */
#include "arrival.h"

#include <pthread.h>

enum { ACTORS = 3, LOCKS = 3 };

struct actor {
	int index; /* 0 is the holder, of the lowest priority */
	int priority;
	void (*activity)(struct actor *self);
	void (*before)(void); /* called when it was woken; NULL: nothing */
	struct trace *trace;  /* of the activity; NULL: none */
	uint32_t wake;
	pthread_t thread;
	int stat; /* /proc/self/task/TID/stat */
	/* the oracle's notes */
	bool active;	 /* from the wake-up to the end of the activity */
	bool asleep;	 /* sleeps by itself, so that other threads may run */
	bool slept;	 /* slept in a section; others may hold its next lock */
	int wants;	 /* the lock that it is entering, from 1; 0: none */
	unsigned within; /* the locks that it may hold, as bits */
	int inside;	 /* highest ceiling of sections that it surely is in */
	int around;	 /* the same, entering and leaving included */
	int sections;	 /* outermost sections begun */
	uint64_t waits;	 /* at gates, in this activation, as the library counts */
	int blocker;	 /* section of a lower actor that ran while it was active, 0: none */
};

/* Two plain words that are equal whenever no thread is inside. */
struct guarded {
	long first, second;
};

extern struct actor actor[ACTORS];
extern struct guarded guarded[LOCKS];

/* The first fault that was found, or NULL. */
extern const char *violation;
void violate(const char *what);

/* The oracle looks at the scene. An actor calls this in its own code. */
void look(struct actor *self);

/* The body of a section: plain loads and stores, which only a compiler barrier keeps inside. */
static inline void touch(int which)
{
	struct guarded *g = &guarded[which];

	if (g->first != g->second)
		violation = "two threads are in one section";
	g->first++;
	g->second++;
}

/* The actor's priority in the kernel now. */
int kernel_priority(const struct actor *a);

/* Whether the thread does not sleep, although it may be preempted. */
bool is_runnable(const struct actor *a);

/* Wake an actor: the `comes` of an arrival. It preempts the victim. */
bool enter_scene(void *actor);

#endif
