/* SPDX-License-Identifier: MIT */
#ifndef PLF_READY_H
#define PLF_READY_H

/*
 * The ready tasks of a core: a stack of preempted tasks, and a heap of activations and wake-ups
 * that have not had the core yet. To add to the heap or to take from it costs time logarithmic in
 * its size. All else takes constant time.
 *
 * Entries of equal deadline are served in the order in which they came. A preempted task precedes
 * entries of equal deadline, because it came first.
 */
#include "core.h"

/* The earliest entry; NULL: the heap is empty. */
static inline const struct plf_entry *plf_earliest_new(const struct plf_core *core)
{
	return plf_queue_of(core)->count > 0 ? &plf_queue_of(core)->entries[0] : NULL;
}

void plf_heap_add(struct plf_queue *queue, struct plf_task *task, uint64_t deadline);

/* Remove the earliest entry. The heap must not be empty. */
__attribute__((warn_unused_result)) struct plf_entry plf_heap_take(struct plf_queue *queue);

static inline void plf_push_preempted(struct plf_core *core, struct plf_task *task)
{
	task->below = plf_queue_of(core)->preempted;
	plf_queue_of(core)->preempted = task;
}

#endif
