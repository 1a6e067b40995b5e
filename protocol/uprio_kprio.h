/* SPDX-License-Identifier: MIT */
#ifndef PLF_UPRIO_KPRIO_H
#define PLF_UPRIO_KPRIO_H

/*
 * UPRIO|KPRIO: a task changes its priority by a store. The kernel publishes in another word the
 * priority that it acted on last.
 *
 * Source: Zuepke, Bommert, Kaiser 2014, Section III.A, with the lower bound of Section V.B. The
 * words belong to the running task of a processor:
 *
 *  uprio   the task's priority, written by the task; the kernel writes it only to bound it
 *  kprio   the priority that the kernel knew last; the kernel never reads it
 *
 * The kernel synchronises at each entry, or only for a scheduling decision (Section V.A). This file
 * serves both.
 *
 * Invariants (T the running task, between any two of its instructions):
 *  I1  a task that the kernel last left waiting in favour of T is not above kprio;
 *  I2  the kernel's exit finds a ready task above uprio, unless T has lowered uprio since and is
 *      about to read kprio or to call.
 *
 * I2 needs the order of a lowering: the store, then the load. If a task becomes ready before the
 * store, the kernel raises kprio above the lowered uprio. If it becomes ready later, the kernel
 * meets the lowered uprio. So no preemption is lost. But kprio shows only that the kernel was
 * there, not for which task. So each lowering from a priority that the kernel saw costs a call,
 * even in vain.
 */
#include "word.h"

/* ---- The task's half --------------------------------------------------- */

/* Raise the priority. T's later accesses stay behind the store. */
static inline void plf_kprio_raise(uint32_t *uprio, uint32_t prio)
{
	plf_store32(uprio, prio);
	plf_barrier();
}

/*
 * Lower the priority. True: the task must call the kernel, which synchronises and preempts T if
 * that is due.
 */
static inline __attribute__((warn_unused_result)) bool
plf_kprio_lower(uint32_t *uprio, const uint32_t *kprio, uint32_t prio)
{
	plf_barrier();
	plf_store32(uprio, prio);
	return prio < plf_load32(kprio);
}

/* ---- The kernel's half ------------------------------------------------- */

/*
 * Return the priority of T, bounded. If a task above it is ready, the caller must preempt T. uprio
 * may hold any value; a bounded value is also written back.
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
