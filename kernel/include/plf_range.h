/* SPDX-License-Identifier: MIT */
#ifndef PLF_RANGE_H
#define PLF_RANGE_H

/*
 * Run steps that last as long as their activation draws (protocol/splitmix.h). A task counts its
 * activations in its private memory, so that no order of execution changes what one draws.
 */
#include "os.h"
#include "plf_clock.h"
#include "protocol/splitmix.h"

/* How many activations of a task have begun, at file scope. */
#define PLF_COUNTED(task) static uint64_t plf_begun_##task TASK_DATA(task)

/* The number of this activation, from 0. */
#define plf_begin_activation(task) (plf_begun_##task++)

/* What a run step has left when the draw has taken its time: never more than was drawn. */
static inline uint64_t plf_range_ns(uint64_t least, uint64_t most, uint64_t key,
				    uint64_t activation)
{
	uint64_t drawn = plf_drawn(least, most, key, activation);

	return drawn > PLF_DRAW_NS ? drawn - PLF_DRAW_NS : 1;
}

#endif
