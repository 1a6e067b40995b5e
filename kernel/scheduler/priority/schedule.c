/* SPDX-License-Identifier: MIT */
#include "plf_schedule.h"

static struct plf_task bottom; /* of the stack of preempted tasks */

void plf_preempt_below(struct plf_core *core, unsigned level)
{
	plf_put_back(core, level);
	plf_dispatch(core);
}

void plf_prepare_queue(struct plf_core *core)
{
	core->queue.preempted = &bottom;
	core->queue.ready = plf_bit(0);
	for (unsigned level = 0; level < PLF_LEVELS; level++) {
		core->queue.rings[level].slots = plf_ring_config[level].slots;
		core->queue.rings[level].mask = plf_ring_config[level].mask;
	}
}
