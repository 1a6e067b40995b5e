/* SPDX-License-Identifier: MIT */
#ifndef PLF_LAZY_CLAIM_H
#define PLF_LAZY_CLAIM_H

/*
 * Lazy immediate ceilings without lock words, for a kernel in which the ceiling rule alone
 * excludes. lazy_ceiling.h joins the same protocol with a lock that knows its holder.
 *
 * Source: Almatary, Audsley, Burns 2015, Sections III (flat) and V (nested), repaired as in
 * lazy_ceiling.h. The words belong to the running task T of a processor:
 *
 *  claim    the highest ceiling of T's open sections; 0: T is in no section. One store makes or
 *           withdraws it, in place of the paper's new_pri, to_raise, start and level. The kernel
 *           writes it only if it is out of bounds
 *  raised   the claim that the kernel acted on last; 0: none (the paper's not to_raise). Only the
 *           kernel writes it
 *
 * T keeps the value that `claim` had before each section (PO.old_pri) in memory that no other task
 * writes while T is inside.
 *
 * Invariants (between any two of T's instructions):
 *  I1  from before T is inside a section until after it left, claim is at least the section's
 *      ceiling;
 *  I2  whenever another task runs, the kernel's priority of T is at least T's claim;
 *  I3  unless T is about to call the kernel, the kernel's priority of T is the higher of its base
 *      and the claim that the kernel acted on. That claim is not above T's present claim.
 *
 * I1 and I2 imply the ceiling rule. I3 needs the order of a leave: the store, then the load. If the
 * kernel raises T before the store, `raised` shows it. After the store the kernel raises T no
 * higher than T still claims.
 *
 * There are two forms. The first calls the kernel only if that changes T's priority. The second is
 * the "simple intuitive scheme" of Section V. Once T is raised, each enter and each leave calls
 * until the outermost section ends. T is raised even if it already has the priority.
 */
#include "word.h"

/* ---- The task's half --------------------------------------------------- */

/* Enter a section. Returns the claim before it, which the leave needs. */
static inline __attribute__((warn_unused_result)) uint32_t plf_claim_enter(uint32_t *claim,
									   uint32_t ceiling)
{
	uint32_t before = plf_load32(claim);

	plf_store32(claim, before > ceiling ? before : ceiling);
	plf_barrier();
	return before;
}

/* Leave it. True: the task must call the kernel, which lowers T and preempts it if that is due. */
static inline __attribute__((warn_unused_result)) bool
plf_claim_leave(uint32_t *claim, const uint32_t *raised, uint32_t before)
{
	plf_barrier();
	plf_store32(claim, before);
	return plf_load32(raised) > before;
}

/* ---- The same, in the paper's simple scheme ----------------------------- */

/*
 * Call this after plf_claim_enter(). True: the task must call the kernel, which raises T for an
 * inner section.
 */
static inline __attribute__((warn_unused_result)) bool
plf_claim_entered_simply(const uint32_t *raised, uint32_t before)
{
	return before != 0 && plf_load32(raised) != 0;
}

static inline __attribute__((warn_unused_result)) bool
plf_claim_leave_simply(uint32_t *claim, const uint32_t *raised, uint32_t before)
{
	plf_barrier();
	plf_store32(claim, before);
	return plf_load32(raised) != 0;
}

/* ---- The kernel's half ------------------------------------------------- */

/* Return T's claim, bounded. The word may hold any value; a bounded value is also written back. */
static inline __attribute__((warn_unused_result)) uint32_t plf_claim_bound(uint32_t *claim,
									   uint32_t highest)
{
	uint32_t wanted = plf_load32(claim);

	if (wanted > highest)
		plf_store32(claim, wanted = highest);
	return wanted;
}

/*
 * A task above `prio`, T's priority, is ready. Return T's priority from now on. If the ready task
 * is still above it, it preempts T.
 */
static inline __attribute__((warn_unused_result)) uint32_t
plf_claim_raise(uint32_t *claim, uint32_t *raised, uint32_t prio, uint32_t highest)
{
	uint32_t wanted = plf_claim_bound(claim, highest);

	if (wanted <= prio)
		return prio;
	plf_store32(raised, wanted);
	return wanted;
}

/* In the simple scheme, when any task becomes ready. */
static inline __attribute__((warn_unused_result)) uint32_t
plf_claim_raise_simply(uint32_t *claim, uint32_t *raised, uint32_t prio, uint32_t highest)
{
	uint32_t wanted = plf_claim_bound(claim, highest);

	if (wanted != 0)
		plf_store32(raised, wanted);
	return wanted > prio ? wanted : prio;
}

/* T called. Return its priority from now on. `base`: T's priority outside all sections. */
static inline __attribute__((warn_unused_result)) uint32_t
plf_claim_settle(uint32_t *claim, uint32_t *raised, uint32_t base, uint32_t highest)
{
	uint32_t wanted = plf_claim_bound(claim, highest);

	plf_store32(raised, wanted > base ? wanted : 0);
	return wanted > base ? wanted : base;
}

/* In the simple scheme T counts as raised until it is outside all sections. */
static inline __attribute__((warn_unused_result)) uint32_t
plf_claim_settle_simply(uint32_t *claim, uint32_t *raised, uint32_t base, uint32_t highest)
{
	uint32_t wanted = plf_claim_bound(claim, highest);

	plf_store32(raised, wanted);
	return wanted > base ? wanted : base;
}

#endif
