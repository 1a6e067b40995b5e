/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_EDF_H
#define DESIGN_EDF_H

/*
 * Tasks under EDF. Time has no bound: the clock stands at CLOCK, and when it ticks all instants
 * become one older. So the code computes with real values, and with CLOCK just below 2^64 every
 * deadline to come is beyond the wrap. What bounds the states is how late things may be: an
 * arrival is handled up to LATE ticks after its nominal instant, and a task has ended when its
 * deadline is OVERDUE ticks old.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

struct rank {
	struct plf_floor floor;
	uint64_t arrived;		     /* nominally, until it is handled */
	uint64_t entered[EXACT ? DEPTH : 1]; /* when each open section was, as floors count */
	uint8_t more_urgent; /* than itself a task became ready since its outermost section began
			      */
};

#define SAVED uint64_t

static const uint64_t relative_of[] = { DEADLINES };
static const uint64_t floor_of[] = { FLOORS };

enum { TASKS = sizeof(relative_of) / sizeof(*relative_of) };
enum { RESOURCES = sizeof(floor_of) / sizeof(*floor_of) };

/* What the paper leaves open, and a model leaves open again. */
enum gap {
	GAP_CLOCK = 1, /* floors count from the reading of the clock */
	GAP_TIES = 2,  /* the holder does not win ties */
	GAP_WAKE = 3,  /* a task that wakes up keeps the deadline that it had */
	GAP_SINCE = 4, /* after a leave, floors count from the leave */
};

enum { LOSES_TIES = GAP == GAP_TIES };

static inline bool is_above(const struct rank *one, const struct rank *other)
{
	return plf_is_earlier(one->floor.deadline, other->floor.deadline);
}

static inline bool is_user(unsigned task, unsigned resource)
{
	return task < TASKS && relative_of[task] >= floor_of[resource];
}

#include "world.h"

/* ---- Time ------------------------------------------------------------------------------ */

static uint64_t elapsed; /* in a printed way; instants are printed from its start */

static inline int shown(uint64_t instant)
{
	return (int)(instant - CLOCK + elapsed);
}

enum { OLDEST = 20 }; /* ticks that are distinguished */

/* What is as old as that stays so: it says nothing any more. */
static inline void age(uint64_t *instant)
{
	if ((int64_t)(CLOCK - *instant) < OLDEST)
		--*instant;
}

/* ---- What a task asks for -------------------------------------------------------------- */

static inline bool is_raised(const struct task *t)
{
	return t->rank.floor.deadline != t->rank.floor.own;
}

/* The least floor of what a task may use, or its own relative deadline. */
static inline uint64_t least_of(unsigned task)
{
	uint64_t least = relative_of[task];

	for (unsigned r = 0; r < RESOURCES; r++)
		if (is_user(task, r) && floor_of[r] < least)
			least = floor_of[r];
	return least;
}

#endif
