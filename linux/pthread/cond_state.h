/* SPDX-License-Identifier: MIT */
#ifndef PLF_COND_STATE_H
#define PLF_COND_STATE_H

/*
 * A condition variable of ours, in the memory of a pthread_cond_t.
 *
 * glibc (2.25 and later) keeps in `__wrefs` the attributes of pthread_cond_init(), whether
 * a thread waits in pthread_cond_destroy(), and above those three bits the number of its
 * waiters. This word is our state as well. The first wait with a mutex of ours makes the
 * condition variable ours by a bit that no number of waiters reaches: there are never more
 * than PID_MAX_LIMIT threads, 2^22. It stays ours until it is destroyed.
 *
 * The other word that we use is the sequence: the upper half of the 64-bit counter `__wseq`.
 * Any value of it will do, so making a condition variable ours is one compare-and-swap.
 * No other word is safe: a signaller that found libc's waiters may still be inside libc
 * when they have gone and the condition variable became ours. It never writes `__wrefs`, and
 * it changes `__wseq` by one atomic exclusive-or of bit 0 alone.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	PLF_COND_SHARED = 1 << 0,    /* libc's: PTHREAD_PROCESS_SHARED */
	PLF_COND_MONOTONIC = 1 << 1, /* libc's: the clock; else it is CLOCK_REALTIME */
	PLF_COND_DESTROYER =
		1 << 2, /* libc's: wake the sleeper on this word when the last one left */
	PLF_COND_ATTRIBUTES = PLF_COND_SHARED | PLF_COND_MONOTONIC,
	PLF_COND_WAITER = 1 << 3, /* one of them */
	PLF_COND_WAITERS = ((1 << 22) - 1) * PLF_COND_WAITER,
	PLF_COND_GENERATION = 1 << 25, /* of the process that they are in; modulo 2^6 */
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

/* One load, and another one only if the bit is set, as a libc with another layout may do. */
extern bool plf_cond_may_be_ours;

static inline bool plf_cond_is_ours(uint32_t state)
{
	return (state & PLF_COND_OURS) != 0 && plf_cond_may_be_ours;
}

/* Make it ours if it is not, and count the caller among its waiters. The state with it. */
uint32_t plf_cond_enter(pthread_cond_t *cond);

/* The caller no longer waits, and does not touch it any more. */
void plf_cond_leave(pthread_cond_t *cond, uint32_t state);

/* Begin a new sequence number and wake the most urgent sleeper, or all. One of ours. */
void plf_cond_wake(pthread_cond_t *cond, uint32_t state, int sleepers);

/*
 * One of ours becomes libc's again, with the waiters that still have to leave, for libc's destroy
 * to wait for: they leave as libc's do. libc's other words are no longer true.
 */
void plf_cond_give_back(pthread_cond_t *cond);

/*
 * Does the C library keep its condition variables as we know it? Before there is a mutex of
 * ours; if not, there must never be one, and every condition variable stays the C library's.
 */
bool plf_cond_layout_known(void);

/* In the child of fork(): no thread waits on the condition variables it inherited. */
void plf_conds_after_fork(void);

#endif
