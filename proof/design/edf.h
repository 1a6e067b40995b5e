/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_EDF_H
#define DESIGN_EDF_H

/*
 * Tasks under EDF. Time is unbounded: the clock stands still at CLOCK, and a tick makes all
 * instants a tick older. So the code computes with real values. With CLOCK just below 2^64, every
 * future deadline is beyond the wrap. Lateness bounds the number of states. An arrival is handled
 * at most LATE ticks after its nominal instant. A task ends at the latest when its deadline is
 * OVERDUE ticks old.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>

struct rank {
	struct plf_floor floor;
	uint64_t arrived;		     /* nominal instant, until the arrival is handled */
	uint64_t entered[EXACT ? DEPTH : 1]; /* instants from which the open sections count */
	uint8_t more_urgent; /* an earlier task became ready since the outermost section began */
};

#define SAVED uint64_t

static const uint64_t relative_of[] = { DEADLINES };
static const uint64_t floor_of[] = { FLOORS };

enum { TASKS = sizeof(relative_of) / sizeof(*relative_of) };
enum { RESOURCES = sizeof(floor_of) / sizeof(*floor_of) };

/* Gaps that the paper leaves open. A control opens one of them again. */
enum gap {
	GAP_CLOCK = 1, /* floors count from the reading of the clock */
	GAP_TIES = 2,  /* the holder loses ties */
	GAP_WAKE = 3,  /* a task that wakes up keeps its old deadline */
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

static uint64_t elapsed; /* ticks since the start of a printed way */

static inline int shown(uint64_t instant)
{
	return (int)(instant - CLOCK + elapsed);
}

enum { OLDEST = 20 }; /* age in ticks beyond which instants are not distinguished */

/* Makes an instant older. An instant of age OLDEST stays so, because its value matters no more. */
static inline void age(uint64_t *instant)
{
	if ((int64_t)(CLOCK - *instant) < OLDEST)
		--*instant;
}

/* ---- Needs of a task --------------------------------------------------------------------- */

static inline bool is_raised(const struct task *t)
{
	return t->rank.floor.deadline != t->rank.floor.own;
}

/* Returns the least floor of the resources that the task may use, or its relative deadline. */
static inline uint64_t least_of(unsigned task)
{
	uint64_t least = relative_of[task];

	for (unsigned r = 0; r < RESOURCES; r++)
		if (is_user(task, r) && floor_of[r] < least)
			least = floor_of[r];
	return least;
}

#endif
