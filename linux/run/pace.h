/* SPDX-License-Identifier: MIT */
#ifndef RUN_PACE_H
#define RUN_PACE_H

/*
 * How fast the loop turns that stands for work, and which turn is short.
 *
 * A turn is short up to 4 times the recent turns of its thread. The limit follows the recent turns,
 * because some phases of a virtual processor are 5 to 14 times slower than others. A turn that a
 * tick interrupts is above the limit. The limit is never below the least gap that the noise of
 * bounds contains, and never above the shortest gap that a log notes. The exception is a clock so
 * slow that a usual turn takes half of that.
 */
#include "../machine/clock.h"

#include <stdbool.h>
#include <stdint.h>

#define GAP_NS (5 * NS_PER_US) /* a log notes longer gaps */

/* The pace of a CPU. */
struct pace {
	int64_t turn_ns; /* the usual turn, with its look at the clock */
	int64_t most_ns; /* a longer turn is never short */
	/* The loop of a driver in the kernel, which counts iterations: see immpc_driver.h. */
	uint64_t chunk_iterations;
	uint64_t chunk_ps;
};

/*
 * Measure the caller's CPU. The caller must be pinned, at a high priority. This takes some
 * milliseconds.
 */
__attribute__((warn_unused_result)) struct pace measure_pace(void);

/* Run the loop once, and look at the clock after it. */
int64_t turn_and_look(void);

/*
 * Is a turn that took took_ns short? `recent_ns` is the average of earlier turns, which this turn
 * enters. At first it is the pace's usual turn.
 */
bool is_short(const struct pace *pace, int64_t *recent_ns, int64_t took_ns);

#endif
