/* SPDX-License-Identifier: MIT */
#ifndef PLF_READY_H
#define PLF_READY_H

/*
 * The ready tasks of a core: a stack of the tasks that were preempted, and for each level a ring
 * of those that are new or woken, with a bit for each ring that is not empty. Before the ring stand
 * tasks that gave way (plf_running.h). All of it in constant time.
 *
 * A preempted task is before the others of its level. A ring entry is an activation, so
 * those of a task that has several keep their place among those of other tasks; one is reached
 * only when the task's earlier activations have ended, which are preempted or before it.
 */
#include "../plf_running.h"

static inline uint64_t plf_bit(unsigned level)
{
	return UINT64_C(1) << level;
}

/* The highest level with a new or woken task; 0: none. Bit 0, no task's, is always set. */
static inline unsigned plf_highest_new(const struct plf_core *core)
{
	return 63U - (unsigned)__builtin_clzll(plf_queue_of(core)->ready);
}

/* The level of the next task that is ready in either way; 0: none. */
static inline unsigned plf_next_level(const struct plf_core *core)
{
	unsigned level = plf_highest_new(core);
	unsigned preempted = plf_preempted_seen(plf_preempted_level(core));

	return preempted > level ? preempted : level;
}

/* Last of its level. There is room: see plf_ring_config. */
static inline void plf_ring_append(struct plf_core *core, struct plf_task *task)
{
	unsigned level = plf_ready_level(task);
	struct plf_ring *ring = &plf_queue_of(core)->rings[level];

	ring->slots[ring->tail] = task;
	ring->tail = (ring->tail + 1) & ring->mask;
	plf_queue_of(core)->ready |= plf_bit(level);
}

/* The first of a level whose bit is set. */
static inline __attribute__((warn_unused_result)) struct plf_task *
plf_ring_take(struct plf_core *core, unsigned level)
{
	struct plf_ring *ring = &plf_queue_of(core)->rings[level];
	struct plf_task *task = plf_take_front(core, level);

	if (!task) {
		task = ring->slots[ring->head];
		ring->head = (ring->head + 1) & ring->mask;
	}
	if (ring->head == ring->tail && !plf_has_front(core, level))
		plf_queue_of(core)->ready &= ~plf_bit(level);
	return task;
}

#endif
