/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_PRIORITY_H
#define DESIGN_PRIORITY_H

/* The tasks of a kernel with fixed priorities, as the models need them; see
 * kernel/scheduler/priority. */
#include <stdbool.h>
#include <stdint.h>

struct rank {
	uint32_t level; /* the task's priority as the kernel knows it */
	uint32_t came;	/* the highest base that became ready since the outermost section began */
	uint8_t seen;	/* a bit for each open section in which the kernel was entered */
};

#ifndef SAVED
#define SAVED uint32_t
#endif

static const uint32_t base_of[] = { BASES };
static const uint32_t ceiling_of[] = { CEILINGS };

enum { TASKS = sizeof(base_of) / sizeof(*base_of) };
enum { RESOURCES = sizeof(ceiling_of) / sizeof(*ceiling_of) };

enum { LOSES_TIES = 0 };

static inline bool is_above(const struct rank *one, const struct rank *other)
{
	return one->level > other->level;
}

static inline bool is_user(unsigned task, unsigned resource)
{
	return task < TASKS && base_of[task] <= ceiling_of[resource];
}

#include "world.h"

/* Returns the level of the first ready task, or 0 if no task is ready. */
static inline uint32_t first_level(const struct world *w)
{
	return w->ready > 0 ? w->task[w->queue[0]].rank.level : 0;
}

/* Returns the highest ceiling of the resources that the task may use, or its base if higher. */
static inline uint32_t highest_user_of(unsigned task)
{
	uint32_t highest = base_of[task];

	for (unsigned r = 0; r < RESOURCES; r++)
		if (is_user(task, r) && ceiling_of[r] > highest)
			highest = ceiling_of[r];
	return highest;
}

#endif
