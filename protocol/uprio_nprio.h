/* SPDX-License-Identifier: MIT */
#ifndef PLF_UPRIO_NPRIO_H
#define PLF_UPRIO_NPRIO_H

/*
 * UPRIO|NPRIO: a task changes its priority by a store. The kernel publishes in another word the
 * priority below which a lowering must be followed by a call.
 *
 * Source: Zuepke, Bommert, Kaiser 2014, Section III.B, with the lower bound of Section V.B. The
 * words belong to the running task of a processor:
 *
 *  uprio   the task's priority, written by the task; the kernel writes it only to bound it
 *  nprio   the priority of the next eligible task, 0: none; the kernel never reads it
 *
 * Invariants (T the running task, between any two of its instructions):
 *  I1  nprio is the highest ready priority, whenever T runs user code;
 *  I2  the kernel's exit finds a ready task above uprio, unless T has lowered uprio since and is
 *      about to read nprio or to call.
 *
 * I2 needs the order of a lowering: the store, then the load. If a task becomes ready before the
 * store, the load sees it. If it becomes ready later, the kernel meets the lowered uprio. So no
 * preemption is lost. A task that calls is preempted at once, because it calls only if its new
 * priority is below nprio.
 */
#include "word.h"

/* ---- The task's half --------------------------------------------------- */

/* Raise the priority. T's later accesses stay behind the store. */
static inline void plf_nprio_raise(uint32_t *uprio, uint32_t prio)
{
	plf_store32(uprio, prio);
	plf_barrier();
}

/* Lower the priority. True: the task must call the kernel, which preempts T. */
static inline __attribute__((warn_unused_result)) bool
plf_nprio_lower(uint32_t *uprio, const uint32_t *nprio, uint32_t prio)
{
	plf_barrier();
	plf_store32(uprio, prio);
	return prio < plf_load32(nprio);
}

/* ---- The kernel's half ------------------------------------------------- */

/* The ready queue changed. `next` is its highest priority now; 0: it is empty. */
static inline void plf_nprio_publish(uint32_t *nprio, uint32_t next)
{
	plf_store32(nprio, next);
}

/*
 * Return the priority of T, bounded, for a decision. If it is below the published priority, the
 * caller must preempt T. uprio may hold any value; a bounded value is also written back.
 */
static inline __attribute__((warn_unused_result)) uint32_t
plf_nprio_bound(uint32_t *uprio, uint32_t lowest, uint32_t highest)
{
	uint32_t prio = plf_load32(uprio);

	if (prio > highest)
		plf_store32(uprio, prio = highest);
	if (prio < lowest)
		plf_store32(uprio, prio = lowest);
	return prio;
}

#endif
