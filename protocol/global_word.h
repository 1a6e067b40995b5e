/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_WORD_H
#define PLF_GLOBAL_WORD_H

/*
 * The word of a mutex whose users are on several CPUs. It gives exclusion and the queue of waiting
 * threads.
 *
 * Source: the multiprocessor priority ceiling protocol (Rajkumar 1990) as stated by Mueller 2014,
 * Section VII.A. The kernel keeps the paper's queue (VII.C), because the lower half of the word is
 * a PI futex. So the most urgent waiter of any CPU is next, and a holder runs at the priority of
 * its most urgent waiter. As in Section VII.B, a thread has its ceiling priority before it queues,
 * so it is granted the mutex at that priority.
 *
 * The word is {reference of the holder's frame, TID of the holder and the kernel's flags}; 0: free.
 * The holder changes the upper half, and the kernel changes only the lower half.
 *
 * Invariants:
 *  I1  the TID names the only thread that is inside, or that was inside when it died;
 *  I2  without a flag the halves belong together, because one operation wrote both. So the
 *      reference shows whether the holder is gone, however long ago, even if another thread has its
 *      TID now;
 *  I3  as long as a thread sleeps in the kernel's queue, only the kernel frees or passes on a word
 *      with the flag WAITERS;
 *  I4  the reference is 0 from before the holder asks the kernel to pass the mutex on until the
 *      next holder has noted its reference. The kernel sets OWNER_DIED if it took the mutex from a
 *      dead holder. Then the dead holder's reference is still in the word, and only the TID counts.
 *
 * The threads run on several CPUs, so each operation here is fully atomic.
 */
#include "word.h"

enum {
	PLF_GLOBAL_TID = 0x3fffffff,
	PLF_GLOBAL_OWNER_DIED = 0x40000000, /* one of the kernel's flags */
	PLF_GLOBAL_FLAGS = ~PLF_GLOBAL_TID,
};

static inline uint64_t plf_global_word(uint32_t ref, uint32_t tid)
{
	return (uint64_t)ref << 32 | tid;
}

static inline uint64_t plf_global_seen(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static inline bool plf_global_has_flags(uint64_t seen)
{
	return ((uint32_t)seen & (uint32_t)PLF_GLOBAL_FLAGS) != 0;
}

/*
 * Return whether the reference names a thread with this TID (I2, I4). If not, only the TID counts.
 */
static inline bool plf_global_is_noted(uint64_t seen)
{
	return seen >> 32 != 0 && (seen & PLF_GLOBAL_OWNER_DIED) == 0;
}

/*
 * Take the word, whose value was `seen`, for the calling thread. `seen` must be 0, or name a dead
 * holder for which no thread sleeps in the kernel's queue (I3). False: the word has changed.
 */
static inline __attribute__((warn_unused_result)) bool
plf_global_take(uint64_t *word, uint64_t seen, uint32_t ref, uint32_t tid)
{
	return __atomic_compare_exchange_n(word, &seen, plf_global_word(ref, tid), false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Note another frame of the holder. */
static inline void plf_global_note(uint64_t *word, uint32_t ref)
{
	__atomic_store_n(plf_high32(word), ref, __ATOMIC_RELEASE);
}

/*
 * Note the caller as holder, after the kernel granted it the word. True: the previous holder died.
 */
static inline __attribute__((warn_unused_result)) bool plf_global_granted(uint64_t *word,
									  uint32_t ref)
{
	plf_global_note(word, ref);
	return (__atomic_fetch_and(plf_low32(word), ~(uint32_t)PLF_GLOBAL_OWNER_DIED,
				   __ATOMIC_SEQ_CST) &
		PLF_GLOBAL_OWNER_DIED) != 0;
}

/*
 * Free the word, which the caller holds. False: threads wait, and the kernel must pass the mutex
 * on.
 */
static inline __attribute__((warn_unused_result)) bool plf_global_give(uint64_t *word, uint32_t ref,
								       uint32_t tid)
{
	uint64_t mine = plf_global_word(ref, tid);

	if (__atomic_compare_exchange_n(word, &mine, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return true;
	plf_global_note(word, 0);
	return false;
}

#endif
