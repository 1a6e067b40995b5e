/* SPDX-License-Identifier: MIT */
#ifndef PLF_UPRIO_NPRIO_H
#define PLF_UPRIO_NPRIO_H

/*
 * UPRIO|NPRIO: a task changes its priority by a store, and the kernel publishes in another
 * word below which priority a lowering must be followed by a call.
 *
 * Source: Zuepke, Bommert, Kaiser 2014, Section III.B, with the lower bound of Section V.B.
 * The words are those of the running task of one processor:
 *
 *   uprio   the task's priority, by its own word; only the kernel's bounds change it otherwise
 *   nprio   the priority of the next eligible task, 0: none; the kernel never reads it
 *
 * Invariants (T the running task, between any two of its instructions):
 *  I1  nprio is the highest ready priority, whenever T runs user code;
 *  I2  a ready task above uprio is found at the kernel's exit, or else T has lowered uprio
 *      since and is about to look at nprio, or to call.
 *
 * I2 needs the order of a lowering: the store, then the load. A task that becomes ready
 * before the store is seen by the load; one that comes after it meets the lowered uprio in
 * the kernel. So no preemption is lost, and a task that calls is preempted at once:
 * whatever it held, one call brings T below nprio for the first time, and then another task runs.
 */
#include "word.h"

/* ---- The task's half --------------------------------------------------- */

/* A raise. What T does at the new priority stays behind it. */
static inline void plf_nprio_raise(uint32_t *uprio, uint32_t prio)
{
	plf_store32(uprio, prio);
	plf_barrier();
}

/* A lowering. True: the kernel must be called, to preempt T. */
static inline __attribute__((warn_unused_result)) bool
plf_nprio_lower(uint32_t *uprio, const uint32_t *nprio, uint32_t prio)
{
	plf_barrier();
	plf_store32(uprio, prio);
	return prio < plf_load32(nprio);
}

/* ---- The kernel's half ------------------------------------------------- */

/* The ready queue changed: `next` is its highest priority now, 0: it is empty. */
static inline void plf_nprio_publish(uint32_t *nprio, uint32_t next)
{
	plf_store32(nprio, next);
}

/*
 * For a decision: the priority of T, which is preempted if it is below the one published.
 * Any value may be found in uprio; T's word shows where it was bounded.
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
