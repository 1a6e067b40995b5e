/* SPDX-License-Identifier: MIT */
#ifndef PLF_READY_H
#define PLF_READY_H

/*
 * The ready tasks of a core: a stack of preempted tasks, and for each level a ring of new and woken
 * tasks. A bit for each level says whether its ring has an entry. Tasks that gave way stand before
 * the ring (plf_running.h). All operations take constant time.
 *
 * A preempted task precedes all other tasks of its level. A ring entry is an activation, so several
 * activations of a task keep their places among other tasks. The scheduler reaches an entry only
 * after the earlier activations of its task have ended, because these are preempted or stand before
 * it.
 */
#include "../plf_running.h"

static inline uint64_t plf_bit(unsigned level)
{
	return UINT64_C(1) << level;
}

/*
 * The highest level with a new or woken task; 0: none. Bit 0, which stands for no task, is always
 * set.
 */
static inline unsigned plf_highest_new(const struct plf_core *core)
{
	return 63U - (unsigned)__builtin_clzll(plf_queue_of(core)->ready);
}

/* The level of the most urgent ready task, preempted or not, as the running task must see it. */
static inline unsigned plf_next_level(const struct plf_core *core)
{
	unsigned level = plf_highest_new(core);
	unsigned preempted = plf_preempted_seen(plf_preempted_level(core));

	return preempted > level ? preempted : level;
}

/* Append the task to the ring of its level, which has room: see plf_ring_config. */
static inline void plf_ring_append(struct plf_core *core, struct plf_task *task)
{
	unsigned level = plf_ready_level(task);
	struct plf_ring *ring = &plf_queue_of(core)->rings[level];

	ring->slots[ring->tail] = task;
	ring->tail = (ring->tail + 1) & ring->mask;
	plf_queue_of(core)->ready |= plf_bit(level);
}

/* Take the first task of a level, whose bit must be set. */
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
