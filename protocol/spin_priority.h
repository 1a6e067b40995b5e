/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPIN_H
#define PLF_SPIN_H

/*
 * A spinlock that the most urgent spinning user gets next, as Mueller 2014, Section IX, asks of
 * AUTOSAR. It has the functions of spin_unordered.h.
 *
 *  word   two sets of users, a bit each; the most urgent user has the highest bit. Lower half: the
 *         holder. Upper half: the users that spin. 0: the lock is free
 *
 * Invariants, while users keep to the functions below:
 *  I1  the lower half has at most one bit, and is empty only if the upper half is empty;
 *  I2  the holder, or the kernel when the holder ends, clears its bit and hands the lock to the
 *      highest spinning user. Both are the same access, so no other user can take the lock in
 *      between;
 *  I3  if a user ends while it spins, the kernel of its core removes it from the word;
 *  I4  the next holder sees all that a holder did before it left.
 *
 * At most one user of a core spins or holds, and it is not preempted. So a request waits for one
 * section of a less urgent user, and for sections of more urgent users.
 *
 * A compare-and-swap fails if another core has written the word: at most once for each user that
 * comes or leaves.
 */
#include "word.h"

enum {
	PLF_SPIN_MOST = 32,	/* users of a lock */
	PLF_SPINNERS = 32,	/* the bit at which the upper half begins */
	PLF_SPIN_ATTEMPTS = 64, /* tries of the kernel to remove a user */
};

/* Return the mark of a user in the lower half. */
static inline uint64_t plf_spin_mark(unsigned user)
{
	return UINT64_C(1) << user;
}

/* True: the lock was free, and the caller has it now. */
static inline __attribute__((warn_unused_result)) bool plf_spin_try(uint64_t *word, uint64_t me)
{
	uint64_t seen = 0;

	return plf_shared_cas64(word, &seen, me);
}

/* True: the caller has the lock. False: it must call plf_spin_turn() until it has the lock. */
static inline __attribute__((warn_unused_result)) bool plf_spin_join(uint64_t *word, uint64_t me)
{
	uint64_t seen = 0;
	uint64_t joined = me;

	while (!plf_shared_cas64(word, &seen, joined))
		joined = seen ? seen | me << PLF_SPINNERS : me;
	return seen == 0;
}

/*
 * True: the caller has the lock. False: the caller must wait until the word is no longer `*seen`.
 */
static inline __attribute__((warn_unused_result)) bool plf_spin_turn(const uint64_t *word,
								     uint64_t me, uint64_t *seen)
{
	*seen = plf_load_acquire64(word);
	return (*seen & me) != 0;
}

/* Return the word with the highest spinning user as holder; 0: no user spins. */
static inline uint64_t plf_spin_handed_over(uint64_t seen)
{
	uint64_t spinners = seen >> PLF_SPINNERS;
	uint64_t next;

	if (spinners == 0)
		return 0;
	next = UINT64_C(1) << (63U - (unsigned)__builtin_clzll(spinners));
	return next | (spinners & ~next) << PLF_SPINNERS;
}

static inline void plf_spin_leave(uint64_t *word, uint64_t me)
{
	uint64_t seen = me;
	uint64_t left = 0;

	while (!plf_shared_cas64(word, &seen, left))
		left = plf_spin_handed_over(seen);
}

/* Return the holder, as a bit of the users; 0: the lock is free. */
static inline uint64_t plf_spin_holder(const uint64_t *word)
{
	return plf_load64(word) & ((UINT64_C(1) << PLF_SPINNERS) - 1);
}

/* Return the word without that user, whether it holds or spins. */
static inline uint64_t plf_spin_without(uint64_t seen, uint64_t me)
{
	if (!(seen & me))
		return seen & ~(me << PLF_SPINNERS);
	return plf_spin_handed_over(seen);
}

/*
 * The kernel, on the user's core, ends the user's activation, whether it holds or spins. The word
 * may hold any value, and foul users may write it repeatedly. While the user holds, other users
 * only add themselves, once per core, if they keep to the functions. While it spins, more urgent
 * users may come and leave, and an attempt fails if such a change falls within it.
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
