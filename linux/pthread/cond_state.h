/* SPDX-License-Identifier: MIT */
#ifndef PLF_COND_STATE_H
#define PLF_COND_STATE_H

/*
 * A condition variable of ours, in the memory of a pthread_cond_t.
 *
 * In glibc 2.25 and later the word `__wrefs` has two attribute bits from pthread_cond_init(), and a
 * bit for a thread that waits in pthread_cond_destroy(). The bits above these three count the
 * waiters. We keep our state in the same word. The first wait with a mutex of ours sets
 * PLF_COND_OURS. The number of waiters never reaches this bit, because there are at most
 * PID_MAX_LIMIT = 2^22 threads. The condition variable stays ours until it is destroyed.
 *
 * Our second word is the sequence number: the upper half of the 64-bit counter `__wseq`. It may
 * begin with any value, so a single compare-and-swap makes a condition variable ours. No other word
 * is safe, because a signaller that found libc's waiters may still be inside libc when they have
 * left and the condition variable has become ours. Such a signaller never writes `__wrefs`, and it
 * changes `__wseq` only by an atomic exclusive-or of bit 0.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	PLF_COND_SHARED = 1 << 0,    /* libc's: PTHREAD_PROCESS_SHARED */
	PLF_COND_MONOTONIC = 1 << 1, /* libc's: CLOCK_MONOTONIC; else CLOCK_REALTIME */
	PLF_COND_DESTROYER =
		1 << 2, /* libc's: a destroyer sleeps; the last waiter to leave wakes it */
	PLF_COND_ATTRIBUTES = PLF_COND_SHARED | PLF_COND_MONOTONIC,
	PLF_COND_WAITER = 1 << 3, /* unit of the number of waiters */
	PLF_COND_WAITERS = ((1 << 22) - 1) * PLF_COND_WAITER,
	PLF_COND_GENERATION = 1 << 25, /* unit of the generation of their process, modulo 2^6 */
	PLF_COND_GENERATIONS = 63 * PLF_COND_GENERATION,
};

#define PLF_COND_OURS 0x80000000U

_Static_assert(sizeof(pthread_cond_t) == 48, "a pthread_cond_t of glibc 2.25 or later");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the upper half comes second");

static inline uint32_t *plf_cond_word(pthread_cond_t *cond)
{
	return &cond->__data.__wrefs;
}

static inline uint32_t *plf_cond_sequence(pthread_cond_t *cond)
{
	return (uint32_t *)(void *)&cond->__data.__wseq + 1;
}

static inline uint32_t plf_cond_state(pthread_cond_t *cond)
{
	return __atomic_load_n(plf_cond_word(cond), __ATOMIC_ACQUIRE);
}

/*
 * False if this libc has another layout, and so may set the bit PLF_COND_OURS itself. This variable
 * is read only if that bit is set.
 */
extern bool plf_cond_may_be_ours;

static inline bool plf_cond_is_ours(uint32_t state)
{
	return (state & PLF_COND_OURS) != 0 && plf_cond_may_be_ours;
}

/* Make COND ours, if it is not yet, and count the caller as a waiter. Returns the new state. */
uint32_t plf_cond_enter(pthread_cond_t *cond);

/* The caller no longer waits, and must not touch COND any more. STATE is from plf_cond_enter(). */
void plf_cond_leave(pthread_cond_t *cond, uint32_t state);

/* COND is ours: begin a new sequence number and wake that many sleepers, the most urgent first. */
void plf_cond_wake(pthread_cond_t *cond, uint32_t state, int sleepers);

/*
 * Make a condition variable of ours libc's again, for libc to destroy it. Waiters that still have
 * to leave do that as libc's waiters do, so libc's destroy waits for them. libc's other words are
 * no longer valid.
 */
void plf_cond_give_back(pthread_cond_t *cond);

/*
 * Does the C library keep its condition variables as described above? Call this before there is a
 * mutex of ours. If it returns false, there must never be such a mutex, and every condition
 * variable stays the C library's.
 */
bool plf_cond_layout_known(void);

/* In the child of fork(): no thread waits on the condition variables that the child inherited. */
void plf_conds_after_fork(void);

#endif
