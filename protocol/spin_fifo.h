/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPIN_H
#define PLF_SPIN_H

/*
 * A spinlock in the order of requests, for the multiprocessor stack resource policy, MSRP (Gai,
 * Lipari, Di Natale 2001), in which neither spinners nor holders are preempted. It has the
 * functions of spin_unordered.h.
 *
 *  word   a list of users, a byte each, holding 1 + the user. The lowest byte is the holder; the
 *         others spin in the order in which they came. 0: the lock is free
 *
 * Invariants, while users keep to the functions below:
 *  I1  the bytes that are not 0 are the lowest, and each user has at most one byte;
 *  I2  a newcomer goes behind all others. A byte is removed by its user, which must be the holder,
 *      or by the kernel when that user ends. So users that do not end become holders in the order
 *      in which they came;
 *  I3  the next holder sees all that a holder did before it left.
 *
 * At most one user of a core spins or holds, so a request waits for at most one section of each
 * other core. There are at least as many bytes as cores.
 *
 * A compare-and-swap fails if another core has written the word: at most once for each user that
 * comes or leaves.
 */
#include "word.h"

enum {
	PLF_SPIN_MOST = 64, /* users of a lock */
	PLF_FIFO_MOST = 8,  /* users that spin or hold at once */
	PLF_FIFO_BITS = 8,  /* bits of a user */
	PLF_FIFO_MASK = (1 << PLF_FIFO_BITS) - 1,
};

/* Return the mark of a user in the word. */
static inline uint64_t plf_spin_mark(unsigned user)
{
	return user + 1U;
}

/* True: the lock was free, and the caller has it now. */
static inline __attribute__((warn_unused_result)) bool plf_spin_try(uint64_t *word, uint64_t me)
{
	uint64_t seen = 0;

	return plf_shared_cas64(word, &seen, me);
}

/*
 * Append a user. If the word has no room, overwrite the last byte. That happens only if users break
 * the rules.
 */
static inline uint64_t plf_fifo_append(uint64_t list, uint64_t me)
{
	unsigned used = list ? 64U - (unsigned)__builtin_clzll(list) : 0;
	unsigned last = (PLF_FIFO_MOST - 1) * PLF_FIFO_BITS;
	unsigned place = used > last ? last : (used + PLF_FIFO_BITS - 1) & ~(PLF_FIFO_BITS - 1U);

	return (list & ~((uint64_t)PLF_FIFO_MASK << place)) | me << place;
}

/* True: the caller has the lock. False: it must call plf_spin_turn() until it has the lock. */
static inline __attribute__((warn_unused_result)) bool plf_spin_join(uint64_t *word, uint64_t me)
{
	uint64_t seen = 0;
	uint64_t joined = me;

	while (!plf_shared_cas64(word, &seen, joined))
		joined = plf_fifo_append(seen, me);
	return seen == 0;
}

/*
 * True: the caller has the lock. False: the caller must wait until the word is no longer `*seen`.
 */
static inline __attribute__((warn_unused_result)) bool plf_spin_turn(const uint64_t *word,
								     uint64_t me, uint64_t *seen)
{
	*seen = plf_load_acquire64(word);
	return (*seen & PLF_FIFO_MASK) == me;
}

/* The holder leaves. The user behind it becomes the holder. */
static inline void plf_spin_leave(uint64_t *word, uint64_t me)
{
	uint64_t seen = me;

	while (!plf_shared_cas64(word, &seen, seen >> PLF_FIFO_BITS))
		;
}

/* Return the holder, as a bit of the users; 0: the lock is free. */
static inline uint64_t plf_spin_holder(const uint64_t *word)
{
	uint64_t holder = plf_load64(word) & PLF_FIFO_MASK;

	return holder - 1 < PLF_SPIN_MOST ? UINT64_C(1) << (holder - 1) : 0;
}

/* Remove a user that spins, and move up the users behind it. `first`: the lowest bit of a place. */
static inline uint64_t plf_fifo_without(uint64_t list, uint64_t me)
{
	for (uint64_t first = 1; first != 0 && list >= first; first <<= PLF_FIFO_BITS) {
		if ((list & ((first << PLF_FIFO_BITS) - first)) == me)
			return (list & (first - 1)) | (list >> PLF_FIFO_BITS & ~(first - 1));
		me <<= PLF_FIFO_BITS;
	}
	return list;
}

/*
 * The kernel, on the user's core, ends the user's activation, whether it holds or spins. The word
 * may hold any value, and foul users may write it repeatedly. Users that keep to the functions
 * either come behind the user and stay, or leave from before it. So each core changes the word at
 * most twice.
 */
static inline void plf_spin_end(uint64_t *word, uint64_t me)
{
	uint64_t seen = plf_load64(word);

	for (unsigned i = 0; i < 2 * PLF_FIFO_MOST; i++) {
		bool holds = (seen & PLF_FIFO_MASK) == me;
		uint64_t without = holds ? seen >> PLF_FIFO_BITS : plf_fifo_without(seen, me);

		if (without == seen || plf_shared_cas64(word, &seen, without))
			return;
	}
}

#endif
