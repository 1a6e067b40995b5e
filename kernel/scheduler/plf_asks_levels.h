/* SPDX-License-Identifier: MIT */
#ifndef PLF_ASKS_LEVELS_H
#define PLF_ASKS_LEVELS_H

/* Fixed priorities: the functions asked of a resource protocol beside kernel/resource.h. */
#include "core.h"

/*
 * The level at which its resources have the running task, base to highest. `above`: what it is
 * to be compared with.
 */
static inline unsigned plf_running_level(struct plf_core *core, unsigned above);

/* The task gets the core, and goes on at `level`; `next`: of the next one that may preempt it,
 * where that is known, else 0. */
static inline void plf_load_words(struct plf_core *core, struct plf_task *task, unsigned level,
				  unsigned next);

#endif
