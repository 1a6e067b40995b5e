/* SPDX-License-Identifier: MIT */
#include "plf_schedule.h"

static struct plf_task bottom; /* of the stack of preempted tasks */

void plf_preempt_below(struct plf_core *core, unsigned level)
{
	plf_put_back(core, level);
	plf_dispatch(core);
}

void plf_give_way(struct plf_core *core)
{
	unsigned level = plf_running_level(core, 0);
	unsigned counting = plf_counting(core->running, level);

	plf_push_front(core, core->running, counting);
	core->queue.ready |= plf_bit(counting);
	plf_put_aside(core, level);
	plf_dispatch(core);
}

void plf_prepare_queue(struct plf_core *core)
{
	const struct plf_ring_config *rings = plf_ring_config[plf_index_of(core)];

	core->queue.preempted = &bottom;
	core->queue.ready = plf_bit(0);
	for (unsigned level = 0; level < PLF_LEVELS; level++) {
		core->queue.rings[level].slots = rings[level].slots;
		core->queue.rings[level].mask = rings[level].mask;
	}
}
