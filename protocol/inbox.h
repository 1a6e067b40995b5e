/* SPDX-License-Identifier: MIT */
#ifndef PLF_INBOX_H
#define PLF_INBOX_H

/*
 * The inbox of a core: the tasks that other cores activated or woke, in order, until the core reads
 * them. Only the core itself touches its queue of ready tasks. A sender must interrupt the core
 * only if the inbox was empty.
 *
 * Source: ours. Mueller 2014, Section III, describes the shared memory and the interrupt that
 * "traditional kernels" use, and their cost to a more urgent task.
 *
 * The inbox is a ring with room for all activations of the core's tasks. A sender takes a ticket,
 * which is its place, and fills that place. So places are given in order but may be filled out of
 * order. The owner stops at a place that is not filled. That place's sender then finds the owner
 * waiting there.
 *
 * Invariants:
 *  I1  the places from `head` to before `tickets` are given: filled, or about to be filled. All
 *      others are 0. The ring is large enough because each entry is an activation that reserved its
 *      room before. No core gives this room back before the entry has left the inbox;
 *  I2  the owner sees a filled place as soon as no sender is busy with it or an earlier place. The
 *      owner writes N to `head` before it reads place N, and the sender of place N fills it before
 *      it reads `head`. So the owner or the sender sees the other.
 */
#include "word.h"

/* The owner has the places, a power of two of them, and their number less 1 as constants. */
struct plf_inbox {
	uint32_t tickets; /* tickets given, modulo 2^32 */
	uint32_t head;	  /* entries taken out; only the owner writes it */
};

/* Return whether all entries have been taken out. For any core. */
static inline bool plf_inbox_is_empty(const struct plf_inbox *inbox)
{
	return plf_load_acquire32(&inbox->head) == plf_load_acquire32(&inbox->tickets);
}

/*
 * Put an entry, not 0, behind all others. True: the caller must interrupt the owner. For any core.
 */
static inline __attribute__((warn_unused_result)) bool
plf_inbox_put(struct plf_inbox *inbox, uint32_t *places, uint32_t mask, uint32_t entry)
{
	uint32_t ticket = plf_shared_add32(&inbox->tickets, 1);

	plf_store_release32(&places[ticket & mask], entry);
	plf_full_barrier();
	return plf_load32(&inbox->head) == ticket;
}

/*
 * Take the first entry out. 0: the inbox is empty, or an interrupt will announce the entry. Only
 * for the owner. The barrier orders the read of this place before reads of all that the sender
 * wrote before it. It also orders the store to `head` before the next read of a place (I2).
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

/* Return whether there is a first entry. False as for plf_inbox_take(). Only for the owner. */
static inline __attribute__((warn_unused_result)) bool
plf_inbox_has_first(const struct plf_inbox *inbox, const uint32_t *places, uint32_t mask)
{
	return plf_load32(&places[plf_load32(&inbox->head) & mask]) != 0;
}

#endif
