/* SPDX-License-Identifier: MIT */
#ifndef PLF_INBOX_H
#define PLF_INBOX_H

/*
 * What other cores have for a core, until it looks: the tasks that they activated or woke, in
 * order. Its queue of ready tasks is touched by itself alone. The interrupt that makes it look is
 * needed only where the inbox was empty.
 *
 * Source: ours; Mueller 2014, Section III, has the shared memory and the interrupt of a core that
 * "traditional kernels" use, and says what they cost a more urgent task.
 *
 * A ring with room for all activations of the core's tasks. A sender takes a ticket, which is its
 * place, and fills it. So places are given in order, but may be filled out of order: the owner
 * stops at one that is not filled, and its sender finds that the owner is there.
 *
 * Invariants:
 *  I1  the places from `head` to before `tickets` are given: filled, or about to be; all others
 *      are 0. There are never more than the ring has, for each is an activation that took its room
 *      before and that no core gives back before it left the inbox;
 *  I2  a place that is filled, and at which or before which no sender is still busy, is the owner's
 *      to see: the owner looks at place N after it wrote N to `head`, the sender of place N
 *      reads `head` after it filled the place. One of the two sees the other.
 */
#include "word.h"

/* The places themselves, a power of two of them, and their number less 1 are constants of the
 * owner. */
struct plf_inbox {
	uint32_t tickets; /* so many were given, modulo 2^32 */
	uint32_t head;	  /* so many were taken out; the owner's */
};

/* Of any core: all that was put in has been taken out. */
static inline bool plf_inbox_is_empty(const struct plf_inbox *inbox)
{
	return plf_load_acquire32(&inbox->head) == plf_load_acquire32(&inbox->tickets);
}

/* Puts an entry, not 0, behind all others; true: the owner must be interrupted. Of any core. */
static inline __attribute__((warn_unused_result)) bool
plf_inbox_put(struct plf_inbox *inbox, uint32_t *places, uint32_t mask, uint32_t entry)
{
	uint32_t ticket = plf_shared_add32(&inbox->tickets, 1);

	plf_store_release32(&places[ticket & mask], entry);
	plf_full_barrier();
	return plf_load32(&inbox->head) == ticket;
}

/*
 * Takes the first entry out; 0: there is none, or an interrupt will come for it. The owner's. The
 * barrier stands between this place and all that the sender wrote before it, and between `head` and
 * the next look at a place (I2).
 */
static inline __attribute__((warn_unused_result)) uint32_t
plf_inbox_take(struct plf_inbox *inbox, uint32_t *places, uint32_t mask)
{
	uint32_t head = plf_load32(&inbox->head);
	uint32_t entry = plf_load32(&places[head & mask]);

	if (entry) {
		plf_store32(&places[head & mask], 0);
		plf_store_release32(&inbox->head, head + 1);
		plf_full_barrier();
	}
	return entry;
}

/* Whether it has a first entry; false: none, or an interrupt will come for it. The owner's. */
static inline __attribute__((warn_unused_result)) bool
plf_inbox_has_first(const struct plf_inbox *inbox, const uint32_t *places, uint32_t mask)
{
	return plf_load32(&places[plf_load32(&inbox->head) & mask]) != 0;
}

#endif
