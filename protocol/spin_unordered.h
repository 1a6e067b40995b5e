/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPIN_H
#define PLF_SPIN_H

/*
 * A spinlock that any spinning core may get next: AUTOSAR's, as described by Mueller 2014, Section
 * IX. This file, spin_fifo.h and spin_priority.h define the same functions. A program must include
 * only one of them.
 *
 *  word   the holder, as a bit of the users; 0: the lock is free
 *
 * Invariants, while users keep to the functions below:
 *  I1  at most one user is the holder, and no other user changes the word before the holder has
 *      left;
 *  I2  the next holder sees all that a holder did before it left.
 *
 * The wait has no bound, because a spinning core may find the lock taken again at each look.
 */
#include "word.h"

enum { PLF_SPIN_MOST = 64 }; /* users of a lock */

/* Return the mark of a user in the word. */
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
	return plf_spin_try(word, me);
}

/*
 * True: the caller has the lock. False: the caller must wait until the word is no longer `*seen`.
 */
static inline __attribute__((warn_unused_result)) bool plf_spin_turn(uint64_t *word, uint64_t me,
								     uint64_t *seen)
{
	*seen = plf_load64(word);
	return *seen == 0 && plf_shared_cas64(word, seen, me);
}

static inline void plf_spin_leave(uint64_t *word, uint64_t me)
{
	(void)me;
	plf_store_release64(word, 0);
}

/* Return the holder, as a bit of the users; 0: the lock is free. */
static inline uint64_t plf_spin_holder(const uint64_t *word)
{
	return plf_load64(word);
}

/*
 * The kernel ends a user's activation, whether it holds or spins. A user that spins is not in the
 * word. The word may hold any value.
 */
static inline void plf_spin_end(uint64_t *word, uint64_t me)
{
	if (plf_load64(word) == me)
		plf_spin_leave(word, me);
}

#endif
