/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: what cores do with the word of a spinlock (the functions are
 * those of protocol/spin_*.h, which the file has included that includes this). The second user is
 * the holder, and the first one wants the lock. What a thread returns is looked at. `data` is what
 * the lock protects.
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

/* ---- The next one ---------------------------------------------------------------------- */

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

/* It has joined before. */
int turns(uint64_t *word, const int *data)
{
	uint64_t seen;

	return plf_spin_turn(word, plf_spin_mark(0), &seen) ? *data : NOT_IN;
}

/* ---- A third one, which joins ----------------------------------------------------------- */

/* As it does where it knows what is in the word, but without an order. */
static inline int joins_without_order(uint64_t *word, uint64_t seen, uint64_t joined)
{
	return __atomic_compare_exchange_n(word, &seen, joined, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED)
		       ? IN
		       : NOT_IN;
}
