/* SPDX-License-Identifier: MIT */
#ifndef PLF_LAZY_CLAIM_H
#define PLF_LAZY_CLAIM_H

/*
 * Lazy immediate ceilings without lock words: for a kernel under which the ceiling rule alone
 * excludes. lazy_ceiling.h is the same protocol joined with a lock that knows its holder.
 *
 * Source: Almatary, Audsley, Burns 2015, Sections III (flat) and V (nested), repaired as in
 * lazy_ceiling.h. The words are those of the running task T of one processor:
 *
 *   claim    the highest ceiling of T's open sections, 0: it is in none (the paper's new_pri,
 *            to_raise, start and level: one store makes and withdraws it); the kernel writes it
 *            only where it is out of bounds
 *   raised   the claim that the kernel acted on last, 0: none (not to_raise); the kernel's
 *
 * T keeps the value that `claim` had before each section (PO.old_pri) where no other task writes
 * while T is inside.
 *
 * Invariants (between any two of T's instructions):
 *  I1  from before T is inside a section until after it left, claim is at least its ceiling;
 *  I2  whenever another task runs, the kernel's priority of T is at least T's claim;
 *  I3  unless T is about to call the kernel, the kernel's priority of T is the higher of its
 *      base and the claim that it acted on, which is not above T's claim.
 *
 * I1 and I2 make the ceiling rule. I3 needs the order of a leave: the store, then the load.
 * Before the store the kernel may raise T, and `raised` shows it; after it the kernel raises T no
 * higher than what T still claims.
 *
 * Two forms. The first calls the kernel only where that changes T's priority. The second is the
 * "simple intuitive scheme" of Section V: once raised, each enter and each leave calls until the
 * outermost section ends, and T is raised also where it has the priority already.
 */
#include "word.h"

/* ---- The task's half --------------------------------------------------- */

/* Into a section. Returns the claim before it, for the leave. */
static inline __attribute__((warn_unused_result)) uint32_t plf_claim_enter(uint32_t *claim,
									   uint32_t ceiling)
{
	uint32_t before = plf_load32(claim);

	plf_store32(claim, before > ceiling ? before : ceiling);
	plf_barrier();
	return before;
}

/* Out of it. True: the kernel must be called, to lower T, and to preempt it if that is due. */
static inline __attribute__((warn_unused_result)) bool
plf_claim_leave(uint32_t *claim, const uint32_t *raised, uint32_t before)
{
	plf_barrier();
	plf_store32(claim, before);
	return plf_load32(raised) > before;
}

/* ---- The same, in the paper's simple scheme ----------------------------- */

/* After plf_claim_enter(). True: the kernel must be called, to raise T for an inner section. */
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

/* T's claim. Any value may be found; T's word shows where it was bounded. */
static inline __attribute__((warn_unused_result)) uint32_t plf_claim_bound(uint32_t *claim,
									   uint32_t highest)
{
	uint32_t wanted = plf_load32(claim);

	if (wanted > highest)
		plf_store32(claim, wanted = highest);
	return wanted;
}

/*
 * A task above `prio`, T's priority, is ready: T's priority from now on. That task preempts T if
 * it is still above.
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

/* In the simple scheme: any task becomes ready. */
static inline __attribute__((warn_unused_result)) uint32_t
plf_claim_raise_simply(uint32_t *claim, uint32_t *raised, uint32_t prio, uint32_t highest)
{
	uint32_t wanted = plf_claim_bound(claim, highest);

	if (wanted != 0)
		plf_store32(raised, wanted);
	return wanted > prio ? wanted : prio;
}

/* T called: its priority from now on. `base`: outside all sections. */
static inline __attribute__((warn_unused_result)) uint32_t
plf_claim_settle(uint32_t *claim, uint32_t *raised, uint32_t base, uint32_t highest)
{
	uint32_t wanted = plf_claim_bound(claim, highest);

	plf_store32(raised, wanted > base ? wanted : 0);
	return wanted > base ? wanted : base;
}

/* In the simple scheme T counts as raised until it is outside. */
static inline __attribute__((warn_unused_result)) uint32_t
plf_claim_settle_simply(uint32_t *claim, uint32_t *raised, uint32_t base, uint32_t highest)
{
	uint32_t wanted = plf_claim_bound(claim, highest);

	plf_store32(raised, wanted);
	return wanted > base ? wanted : base;
}

#endif
