/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: holders and waiters of a mutex use its word by
 * protocol/global_word.h, and Linux uses the lower half. The rules are about the values that
 * threads return. The mutex protects `data`. `wake` belongs to the kernel, between its CPUs.
 */
#include "global_word.h"

enum {
	FIRST_REF = 0x10,
	FIRST = 5, /* a TID */
	SECOND_REF = 0x20,
	SECOND = 6,
	WAITERS = PLF_GLOBAL_FLAGS & ~PLF_GLOBAL_OWNER_DIED,
};
enum { FAILED = 2, DONE = 5 }; /* results of a try */
enum { UNSEEN, SEEN, NOT_IN }; /* results of a thread that reads the data if it is inside */
enum { SOUND = 2, TORN = 5 };  /* results of a look at the word */

/* Linux, under its own lock: FUTEX_LOCK_PI announces a thread, FUTEX_UNLOCK_PI hands on. */
static inline bool swap_low(uint64_t *word, uint32_t seen, uint32_t wanted, int order)
{
	return __atomic_compare_exchange_n(plf_low32(word), &seen, wanted, false, order,
					   __ATOMIC_RELAXED);
}

int gives(uint64_t *word, int *data)
{
	*data = SEEN;
	return plf_global_give(word, FIRST_REF, FIRST) ? DONE : FAILED;
}

int takes(uint64_t *word, int *data)
{
	return plf_global_take(word, 0, SECOND_REF, SECOND) ? *data : NOT_IN;
}

int takes_first(uint64_t *word)
{
	return plf_global_take(word, 0, FIRST_REF, FIRST) ? DONE : FAILED;
}

int takes_second(uint64_t *word)
{
	return plf_global_take(word, 0, SECOND_REF, SECOND) ? DONE : FAILED;
}

/* The thread sleeps if the first thread had the word until now. */
int begins_to_wait(uint64_t *word)
{
	return swap_low(word, FIRST, FIRST | WAITERS, __ATOMIC_SEQ_CST) ? DONE : FAILED;
}

int gives_to_waiter(uint64_t *word, int *data, int *wake)
{
	bool is_handed_on;

	*data = SEEN;
	if (plf_global_give(word, FIRST_REF, FIRST))
		return FAILED;
	is_handed_on = swap_low(word, FIRST | WAITERS, SECOND, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(wake, 1, __ATOMIC_RELEASE);
	return is_handed_on ? DONE : FAILED;
}

int is_granted(uint64_t *word, const int *data, const int *wake)
{
	if (!__atomic_load_n(wake, __ATOMIC_ACQUIRE) || plf_global_granted(word, SECOND_REF))
		return NOT_IN;
	return *data;
}

/* Asks whether the holder is gone. A word is torn if its reference belongs to another thread. */
int looks(const uint64_t *word)
{
	uint64_t seen = plf_global_seen(word);

	return seen >> 32 == FIRST_REF && (seen & PLF_GLOBAL_TID) == SECOND ? TORN : SOUND;
}

/* DONE: the word is granted from a dead holder. */
int is_granted_by_death(uint64_t *word)
{
	return plf_global_granted(word, SECOND_REF) ? DONE : FAILED;
}

/* A third thread begins to wait for the second, to which the kernel has granted the word. */
int waits_for_heir(uint64_t *word)
{
	uint32_t holder = SECOND | PLF_GLOBAL_OWNER_DIED;

	if (swap_low(word, holder, holder | WAITERS, __ATOMIC_SEQ_CST))
		return DONE;
	return swap_low(word, SECOND, SECOND | WAITERS, __ATOMIC_SEQ_CST) ? DONE : FAILED;
}
