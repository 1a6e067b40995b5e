/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: cores use the word of a spinlock by protocol/spin_*.h, which the
 * including file has included. The second user is the holder, and the first user wants the lock.
 * The rules are about the values that threads return. The lock protects `data`.
 */
enum { SEEN = 1, NOT_IN, IN };

/* ---- The holder ------------------------------------------------------------------------ */

int leaves(uint64_t *word, int *data)
{
	*data = SEEN;
	plf_spin_leave(word, plf_spin_mark(1));
	return IN;
}

int reads_and_leaves(uint64_t *word, const int *data)
{
	int value = *data;

	plf_spin_leave(word, plf_spin_mark(1));
	return value;
}

int ends(uint64_t *word, int *data)
{
	*data = SEEN;
	plf_spin_end(word, plf_spin_mark(1));
	return IN;
}

int tries_second(uint64_t *word)
{
	return plf_spin_try(word, plf_spin_mark(1)) ? IN : NOT_IN;
}

/* ---- The next user ---------------------------------------------------------------------- */

int tries(uint64_t *word, const int *data)
{
	return plf_spin_try(word, plf_spin_mark(0)) ? *data : NOT_IN;
}

int tries_and_writes(uint64_t *word, int *data)
{
	if (!plf_spin_try(word, plf_spin_mark(0)))
		return NOT_IN;
	*data = SEEN;
	return IN;
}

int joins(uint64_t *word, const int *data)
{
	return plf_spin_join(word, plf_spin_mark(0)) ? *data : NOT_IN;
}

/* The user has joined before. */
int turns(uint64_t *word, const int *data)
{
	uint64_t seen;

	return plf_spin_turn(word, plf_spin_mark(0), &seen) ? *data : NOT_IN;
}

/* ---- A third user, which joins ----------------------------------------------------------- */

/* Joins with a known value of the word, but without memory order. */
static inline int joins_without_order(uint64_t *word, uint64_t seen, uint64_t joined)
{
	return __atomic_compare_exchange_n(word, &seen, joined, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED)
		       ? IN
		       : NOT_IN;
}
