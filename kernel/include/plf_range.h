/* SPDX-License-Identifier: MIT */
#ifndef PLF_RANGE_H
#define PLF_RANGE_H

/*
 * Run steps of random length, drawn for each activation (protocol/splitmix.h). A task counts its
 * activations in its private memory, so the order of execution does not change an activation's
 * draw.
 */
#include "os.h"
#include "plf_clock.h"
#include "protocol/splitmix.h"

/* Define the count of activations of a task that have begun. For file scope. */
#define PLF_COUNTED(task) static uint64_t plf_begun_##task TASK_DATA(task)

/* Return the number of this activation, from 0. */
#define plf_begin_activation(task) (plf_begun_##task++)

/*
 * Return the rest of a run step after the time of the draw itself: at least 1 and at most the draw.
 */
static inline uint64_t plf_range_ns(uint64_t least, uint64_t most, uint64_t key,
				    uint64_t activation)
{
	uint64_t drawn = plf_drawn(least, most, key, activation);

	return drawn > PLF_DRAW_NS ? drawn - PLF_DRAW_NS : 1;
}

#endif
