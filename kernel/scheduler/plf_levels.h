/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVELS_H
#define PLF_LEVELS_H

/*
 * Fixed priorities, for the software and the hardware scheduler: levels of tasks. Levels are 1 to
 * PLF_LEVELS - 1, and a larger level is more urgent. Level 0 means no task.
 */
#include "plf_global_members.h"
#include "system.h"

#include <stdbool.h>
#include <stdint.h>

struct plf_task;

/* Configuration of a task. */
struct plf_urgency_config {
	uint8_t base;	  /* level of a new activation */
	uint8_t internal; /* ceiling of its internal resource; base if it has none */
	uint8_t highest;  /* Pmax: the maximum of base and the ceilings of its resources */
};

/* Part of struct plf_task. */
struct plf_urgency {
	uint8_t base;
	uint8_t internal; /* ceiling of its internal resource while it holds that, else base;
			   * undefined until it has had the core */
	uint8_t highest;
	uint8_t level; /* preempted: level at which it resumes; running: see
			* resource/NAME/plf_level.h */
	PLF_GLOBAL_LEVELS
};

/*
 * A task has two levels, and the higher counts (plf_counting()). `level` is base, or a ceiling of
 * the resources that the task has entered; the protocol maintains it. `internal` belongs to the
 * internal resource. Protocols and user code do not know it, so Schedule() can release the internal
 * resource and keep all others.
 */

#endif
