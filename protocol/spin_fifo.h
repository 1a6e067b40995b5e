/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPIN_H
#define PLF_SPIN_H

/*
 * A spinlock in the order of the requests: that of the multiprocessor stack resource policy, MSRP
 * (Gai, Lipari, Di Natale 2001), where neither spinners nor holders are preempted. The functions
 * are those of spin_unordered.h.
 *
 *   word   a list of users, a byte each, 1 + the user: the lowest is the holder, the others spin in
 *          the order in which they came; 0: the lock is free
 *
 * Invariants, while users keep to the functions below:
 *  I1  the bytes that are not 0 are the lowest, and each user has one at most;
 *  I2  one that comes is behind all others, and a byte is taken away by its user, which is the
 *      holder, or by the kernel when that user ends: so the users that do not end are holders in
 *      the order in which they came;
 *  I3  what a holder did before it left, the next one sees.
 *
 * A user is one of a core's that spins or holds: so a request waits for one section of each other
 * core. There are as many bytes as cores, or more.
 *
 * A compare-and-swap fails when another core has written the word: at most once for each time that
 * one comes or leaves.
 */
#include "word.h"

enum {
	PLF_SPIN_MOST = 64, /* users of a lock */
	PLF_FIFO_MOST = 8,  /* of them at once */
	PLF_FIFO_BITS = 8,  /* a user */
	PLF_FIFO_MASK = (1 << PLF_FIFO_BITS) - 1,
};

/* What stands for a user in the word. */
static inline uint64_t plf_spin_mark(unsigned user)
{
	return user + 1U;
}

/* True: it was free, and is the caller's. */
static inline __attribute__((warn_unused_result)) bool plf_spin_try(uint64_t *word, uint64_t me)
{
	uint64_t seen = 0;

	return plf_shared_cas64(word, &seen, me);
}

/* Behind the last one. Of a word without room, which no users make that keep to the functions, in
 * its place. */
static inline uint64_t plf_fifo_append(uint64_t list, uint64_t me)
{
	unsigned used = list ? 64U - (unsigned)__builtin_clzll(list) : 0;
	unsigned last = (PLF_FIFO_MOST - 1) * PLF_FIFO_BITS;
	unsigned place = used > last ? last : (used + PLF_FIFO_BITS - 1) & ~(PLF_FIFO_BITS - 1U);

	return (list & ~((uint64_t)PLF_FIFO_MASK << place)) | me << place;
}

/* True: the lock is the caller's. Else it takes turns. */
static inline __attribute__((warn_unused_result)) bool plf_spin_join(uint64_t *word, uint64_t me)
{
	uint64_t seen = 0;
	uint64_t joined = me;

	while (!plf_shared_cas64(word, &seen, joined))
		joined = plf_fifo_append(seen, me);
	return seen == 0;
}

/* True: the lock is the caller's. Else `*seen` is what the word has to change from. */
static inline __attribute__((warn_unused_result)) bool plf_spin_turn(const uint64_t *word,
								     uint64_t me, uint64_t *seen)
{
	*seen = plf_load_acquire64(word);
	return (*seen & PLF_FIFO_MASK) == me;
}

/* The holder leaves; the one behind it is the holder then. */
static inline void plf_spin_leave(uint64_t *word, uint64_t me)
{
	uint64_t seen = me;

	while (!plf_shared_cas64(word, &seen, seen >> PLF_FIFO_BITS))
		;
}

/* The holder, as a bit of the users; 0: the lock is free. */
static inline uint64_t plf_spin_holder(const uint64_t *word)
{
	uint64_t holder = plf_load64(word) & PLF_FIFO_MASK;

	return holder - 1 < PLF_SPIN_MOST ? UINT64_C(1) << (holder - 1) : 0;
}

/* Without a user that spins; those behind it move up. `first`: the lowest bit of a place. */
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
 * The kernel's, of the user's core: its activation is over, inside or while it spins. The word may
 * be anything, and users may write it again and again; those that keep to the functions come behind
 * the user and stay there, and those before it leave: each core changes the word twice at most.
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
