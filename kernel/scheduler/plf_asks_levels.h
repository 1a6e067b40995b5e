/* SPDX-License-Identifier: MIT */
#ifndef PLF_ASKS_LEVELS_H
#define PLF_ASKS_LEVELS_H

/* Fixed priorities: functions that a resource protocol must define besides kernel/resource.h. */
#include "core.h"

/*
 * The level of the running task by its resources, from base to highest. The caller only compares it
 * with `above`, so a lazy protocol may raise the task only if `above` is higher.
 */
static inline unsigned plf_running_level(struct plf_core *core, unsigned above);

/*
 * The task gets the core at `level`. `next` is the level of the next task that may preempt it; 0:
 * none, or not known.
 */
static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next);

#endif
