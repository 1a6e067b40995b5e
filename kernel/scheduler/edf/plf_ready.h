/* SPDX-License-Identifier: MIT */
#ifndef PLF_READY_H
#define PLF_READY_H

/*
 * The ready tasks of a core: a stack of the tasks that were preempted, and a heap of the
 * activations and wake-ups that have not had the core yet. The time to put one in or to
 * take one out grows with the logarithm of their number; all else is in constant time.
 *
 * Equal deadlines are first come, first served, and a preempted task came before.
 */
#include "core.h"

/* The earliest new or woken one; NULL: there is none. */
static inline const struct plf_entry *plf_earliest_new(const struct plf_core *core)
{
	return plf_queue_of(core)->count > 0 ? &plf_queue_of(core)->entries[0] : NULL;
}

void plf_heap_add(struct plf_queue *queue, struct plf_task *task, uint64_t deadline);

/* The earliest one. There is one. */
__attribute__((warn_unused_result)) struct plf_entry plf_heap_take(struct plf_queue *queue);

static inline void plf_push_preempted(struct plf_core *core, struct plf_task *task)
{
	task->below = plf_queue_of(core)->preempted;
	plf_queue_of(core)->preempted = task;
}

#endif
