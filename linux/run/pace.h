/* SPDX-License-Identifier: MIT */
#ifndef RUN_PACE_H
#define RUN_PACE_H

/*
 * How fast the loop that stands for work turns, and which turn is a short one.
 *
 * A turn is short up to 4 times the recent turns of its thread. Single phases of a virtual
 * processor are 5 to 14 times slower than others, so the limit follows them; a tick that interrupts
 * a turn is above it. The limit is never below the least gap that the noise of bounds contains, and
 * never above the shortest gap that a log notes, unless the clock itself is so slow that a usual
 * turn takes half of that.
 */
#include "../machine/clock.h"

#include <stdbool.h>
#include <stdint.h>

#define GAP_NS (5 * NS_PER_US) /* a log notes longer gaps */

/* Of a CPU. */
struct pace {
	int64_t turn_ns; /* the usual turn, with its look at the clock */
	int64_t most_ns; /* no longer turn is short */
	/* The loop of a driver in the kernel, which counts iterations: see immpc_driver.h. */
	uint64_t chunk_iterations;
	uint64_t chunk_ps;
};

/* Of the caller's CPU. Call it at a high priority, pinned; it takes some milliseconds. */
__attribute__((warn_unused_result)) struct pace measure_pace(void);

/* The loop, once, and a look at the clock after it. */
int64_t turn_and_look(void);

/* Whether a turn that took that long is a short one; `recent_ns`: the average of those before,
 * which it enters. At first it is the pace's usual turn. */
bool is_short(const struct pace *pace, int64_t *recent_ns, int64_t took_ns);

#endif
