/* SPDX-License-Identifier: MIT */
#ifndef PLF_UPRIO_KPRIO_H
#define PLF_UPRIO_KPRIO_H

/*
 * UPRIO|KPRIO: a task changes its priority by a store, and the kernel publishes in another
 * word the priority that it acted on last.
 *
 * Source: Zuepke, Bommert, Kaiser 2014, Section III.A, with the lower bound of Section V.B.
 * The words are those of the running task of one processor:
 *
 *   uprio   the task's priority, by its own word; only the kernel's bounds change it otherwise
 *   kprio   the priority that the kernel knew last; the kernel never reads it
 *
 * The kernel synchronises at each entry, or only for a scheduling decision (Section V.A): the
 * half is the same.
 *
 * Invariants (T the running task, between any two of its instructions):
 *  I1  a task that the kernel last left waiting in favour of T is not above kprio;
 *  I2  a ready task above uprio is found at the kernel's exit, or else T has lowered uprio
 *      since and is about to look at kprio, or to call.
 *
 * I2 needs the order of a lowering: the store, then the load. A task that becomes ready
 * before the store makes the kernel raise kprio above the lowered uprio; one that comes after
 * it meets the lowered uprio in the kernel. So no preemption is lost. But kprio shows only
 * that the kernel was there, not for which task: each lowering from a priority that it saw costs a
 * call, in vain or not.
 */
#include "word.h"

/* ---- The task's half --------------------------------------------------- */

/* A raise. What T does at the new priority stays behind it. */
static inline void plf_kprio_raise(uint32_t *uprio, uint32_t prio)
{
	plf_store32(uprio, prio);
	plf_barrier();
}

/* A lowering. True: the kernel must be called, to synchronise, and to preempt T if it is due. */
static inline __attribute__((warn_unused_result)) bool
plf_kprio_lower(uint32_t *uprio, const uint32_t *kprio, uint32_t prio)
{
	plf_barrier();
	plf_store32(uprio, prio);
	return prio < plf_load32(kprio);
}

/* ---- The kernel's half ------------------------------------------------- */

/*
 * The priority of T, which is preempted if a task above it is ready. Any value may be found in
 * uprio; T's word shows where it was bounded.
 */
static inline __attribute__((warn_unused_result)) uint32_t
plf_kprio_sync(uint32_t *uprio, uint32_t *kprio, uint32_t lowest, uint32_t highest)
{
	uint32_t prio = plf_load32(uprio);

	if (prio > highest)
		plf_store32(uprio, prio = highest);
	if (prio < lowest)
		plf_store32(uprio, prio = lowest);
	plf_store32(kprio, prio);
	return prio;
}

#endif
