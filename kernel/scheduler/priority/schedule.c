/* SPDX-License-Identifier: MIT */
#include "plf_schedule.h"

#include "server.h"

static struct plf_task bottom; /* bottom of the stack of preempted tasks */

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
	plf_queue_of(core)->ready |= plf_bit(counting);
	plf_put_aside(core, level);
	plf_dispatch(core);
}

static void leave_ring(struct plf_core *core, struct plf_task *task)
{
	unsigned level = plf_ready_level(task);
	struct plf_ring *ring = &plf_queue_of(core)->rings[level];
	uint16_t kept = ring->head;

	for (uint16_t from = ring->head; from != ring->tail; from = (from + 1) & ring->mask) {
		ring->slots[kept] = ring->slots[from];
		if (ring->slots[from] != task)
			kept = (kept + 1) & ring->mask;
		else
			plf_drop(task);
	}
	ring->tail = kept;
	if (ring->head == ring->tail)
		plf_queue_of(core)->ready &= ~plf_bit(level);
}

bool plf_remove_task(struct plf_core *core, struct plf_task *task)
{
	struct plf_task **link = &plf_queue_of(core)->preempted;

	leave_ring(core, task);
	while (*link != task && *link != &bottom)
		link = &(*link)->below;
	if (*link == &bottom)
		return false;
	*link = task->below;
	plf_drop(task);
	return true;
}

void plf_prepare_queue(struct plf_core *core)
{
	const struct plf_ring_config *rings = plf_ring_config[plf_queue_number(core)];

	plf_queue_of(core)->preempted = &bottom;
	plf_queue_of(core)->ready = plf_bit(0);
	for (unsigned level = 0; level < PLF_LEVELS; level++) {
		plf_queue_of(core)->rings[level].slots = rings[level].slots;
		plf_queue_of(core)->rings[level].mask = rings[level].mask;
	}
}
