/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPIN_H
#define PLF_SPIN_H

/*
 * A spinlock that the most urgent of the spinning users gets next: what Mueller 2014, Section IX,
 * asks of AUTOSAR. The functions are those of spin_unordered.h.
 *
 *   word   two sets of users, a bit each, the most urgent the highest. Lower half: the holder;
 *          upper half: those that spin. 0: the lock is free
 *
 * Invariants, while users keep to the functions below:
 *  I1  the lower half has one bit at most, and is empty only if the upper half is;
 *  I2  the holder, or the kernel when it ends, takes its bit away, and hands the lock over to the
 *      highest of those that spin then: in the same access, so that no other one comes in between;
 *  I3  a user that ends while it spins is among those no more: the kernel of its core takes it out;
 *  I4  what a holder did before it left, the next one sees.
 *
 * A user is one of a core's that spins or holds, and is not preempted. So a request waits for one
 * section of a less urgent user, and for those of more urgent ones.
 *
 * A compare-and-swap fails when another core has written the word: at most once for each time that
 * one comes or leaves.
 */
#include "word.h"

enum {
	PLF_SPIN_MOST = 32,	/* users of a lock */
	PLF_SPINNERS = 32,	/* where the upper half begins */
	PLF_SPIN_ATTEMPTS = 64, /* of the kernel, to take a user away */
};

/* What stands for a user in the lower half. */
static inline uint64_t plf_spin_mark(unsigned user)
{
	return UINT64_C(1) << user;
}

/* True: it was free, and is the caller's. */
static inline __attribute__((warn_unused_result)) bool plf_spin_try(uint64_t *word, uint64_t me)
{
	uint64_t seen = 0;

	return plf_shared_cas64(word, &seen, me);
}

/* True: the lock is the caller's. Else it takes turns. */
static inline __attribute__((warn_unused_result)) bool plf_spin_join(uint64_t *word, uint64_t me)
{
	uint64_t seen = 0;
	uint64_t joined = me;

	while (!plf_shared_cas64(word, &seen, joined))
		joined = seen ? seen | me << PLF_SPINNERS : me;
	return seen == 0;
}

/* True: the lock is the caller's. Else `*seen` is what the word has to change from. */
static inline __attribute__((warn_unused_result)) bool plf_spin_turn(const uint64_t *word,
								     uint64_t me, uint64_t *seen)
{
	*seen = plf_load_acquire64(word);
	return (*seen & me) != 0;
}

/* The highest of those that spin is the holder; 0: none does. */
static inline uint64_t plf_spin_handed_over(uint64_t seen)
{
	uint64_t spinners = seen >> PLF_SPINNERS;
	uint64_t next;

	if (spinners == 0)
		return 0;
	next = UINT64_C(1) << (63U - (unsigned)__builtin_clzll(spinners));
	return next | (spinners & ~next) << PLF_SPINNERS;
}

/* The holder leaves. */
static inline void plf_spin_leave(uint64_t *word, uint64_t me)
{
	uint64_t seen = me;
	uint64_t left = 0;

	while (!plf_shared_cas64(word, &seen, left))
		left = plf_spin_handed_over(seen);
}

/* The holder, as a bit of the users; 0: the lock is free. */
static inline uint64_t plf_spin_holder(const uint64_t *word)
{
	return plf_load64(word) & ((UINT64_C(1) << PLF_SPINNERS) - 1);
}

/* Without that user, whether it is the holder or spins. */
static inline uint64_t plf_spin_without(uint64_t seen, uint64_t me)
{
	if (!(seen & me))
		return seen & ~(me << PLF_SPINNERS);
	return plf_spin_handed_over(seen);
}

/*
 * The kernel's, of the user's core: its activation is over, inside or while it spins. The word may
 * be anything, and users may write it again and again. While the user is the holder, those that
 * keep to the functions only add themselves, each core once. While it spins, more urgent ones may
 * come and leave: an attempt fails if one did so within it.
 */
static inline void plf_spin_end(uint64_t *word, uint64_t me)
{
	uint64_t seen = plf_load64(word);

	for (unsigned i = 0; i < PLF_SPIN_ATTEMPTS; i++) {
		uint64_t without = plf_spin_without(seen, me);

		if (without == seen || plf_shared_cas64(word, &seen, without))
			return;
	}
}

#endif
