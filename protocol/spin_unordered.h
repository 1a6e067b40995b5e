/* SPDX-License-Identifier: MIT */
#ifndef PLF_SPIN_H
#define PLF_SPIN_H

/*
 * A spinlock that any of the spinning cores may get next: AUTOSAR's, as Mueller 2014, Section IX,
 * describes it. This file, spin_fifo.h and spin_priority.h have the same functions; a program
 * includes one of them.
 *
 *   word   the holder, which is a bit a user; 0: the lock is free
 *
 * Invariants, while users keep to the functions below:
 *  I1  at most one user is the holder, and no other one changes the word before it has left;
 *  I2  what a holder did before it left, the next one sees.
 *
 * There is no bound: a spinning core may find the lock taken again whenever it looks.
 */
#include "word.h"

enum { PLF_SPIN_MOST = 64 }; /* users of a lock */

/* What stands for a user in the word. */
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
	return plf_spin_try(word, me);
}

/* True: the lock is the caller's. Else `*seen` is what the word has to change from. */
static inline __attribute__((warn_unused_result)) bool plf_spin_turn(uint64_t *word, uint64_t me,
								     uint64_t *seen)
{
	*seen = plf_load64(word);
	return *seen == 0 && plf_shared_cas64(word, seen, me);
}

/* The holder leaves. */
static inline void plf_spin_leave(uint64_t *word, uint64_t me)
{
	(void)me;
	plf_store_release64(word, 0);
}

/* The holder, as a bit of the users; 0: the lock is free. */
static inline uint64_t plf_spin_holder(const uint64_t *word)
{
	return plf_load64(word);
}

/*
 * The kernel's: the activation of a user is over, inside or while it spins, of which the word has
 * no trace. The word may be anything.
 */
static inline void plf_spin_end(uint64_t *word, uint64_t me)
{
	if (plf_load64(word) == me)
		plf_spin_leave(word, me);
}

#endif
