/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVELS_H
#define PLF_LEVELS_H

/*
 * Fixed priorities, whether software or hardware decides: the levels of a task. They are 1 to
 * PLF_LEVELS - 1, larger is more urgent, and 0 is that of no task.
 */
#include "plf_global_members.h"
#include "system.h"

#include <stdbool.h>
#include <stdint.h>

struct plf_task;

/* Of the configuration. */
struct plf_urgency_config {
	uint8_t base;	  /* level while it is ready for an activation */
	uint8_t internal; /* the ceiling of its internal resource; of a task without: base */
	uint8_t highest;  /* Pmax: of base, and of the ceilings of its resources */
};

/* Of a task block. */
struct plf_urgency {
	uint8_t base;
	uint8_t internal; /* since it had the core: while it holds its internal resource its
			   * ceiling, else base */
	uint8_t highest;
	uint8_t level; /* preempted: at which it goes on; running: see resource/NAME/plf_level.h */
	PLF_GLOBAL_LEVELS
};

/*
 * There are two levels, of which the higher one counts: that of the resources which a task has
 * entered, or base (`level`), which the protocol keeps, and that of its internal resource
 * (`internal`), of which protocols and user code know nothing. So Schedule() can let go of the one
 * and keep the other.
 */

#endif
