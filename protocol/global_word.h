/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_WORD_H
#define PLF_GLOBAL_WORD_H

/*
 * The word of a mutex whose users are on several CPUs: exclusion, and the queue of the threads
 * that wait.
 *
 * Source: the multiprocessor priority ceiling protocol (Rajkumar 1990) as Mueller 2014,
 * Section VII.A, states it. The paper's queue (VII.C) is the kernel's here: the lower half of
 * the word is a PI futex. So the most urgent waiter of any CPU is next, and a holder runs
 * at the priority of the most urgent thread that waits for it. Section VII.B's order is kept: a
 * thread has its ceiling priority before it stands in line, so it is granted the mutex at that.
 *
 * The word is {reference of the holder's frame, TID of the holder and the kernel's flags};
 * 0: free. Its holder, T, changes the upper half, the kernel only the lower one.
 *
 * Invariants:
 *  I1  the TID is that of the one thread that is in, or was in when it died;
 *  I2  without a flag the halves belong together: one operation wrote both. So the reference
 *      shows whether the holder is gone, however long ago, and though its TID may be another
 *      thread's now;
 *  I3  a word with the flag WAITERS becomes free or another thread's by the kernel alone, as
 *      long as a thread sleeps in its queue;
 *  I4  the reference is 0 from before T asks the kernel to hand the mutex on until the next
 *      holder has noted its own. The kernel sets OWNER_DIED where it took the mutex from a
 *      dead holder, whose reference is still there: then, too, only the TID counts.
 *
 * The threads run on several CPUs: each operation here is a full atomic one.
 */
#include "word.h"

enum {
	PLF_GLOBAL_TID = 0x3fffffff,
	PLF_GLOBAL_OWNER_DIED = 0x40000000, /* the kernel's flags */
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

/* Names the reference a thread to which this TID belongs (I2, I4)? Else only the TID does. */
static inline bool plf_global_is_noted(uint64_t seen)
{
	return seen >> 32 != 0 && (seen & PLF_GLOBAL_OWNER_DIED) == 0;
}

/*
 * Make the word, which was `seen`, the calling thread's. `seen` is 0, or names a holder that is
 * gone and for which no thread sleeps in the kernel's queue (I3). False: it has changed.
 */
static inline __attribute__((warn_unused_result)) bool
plf_global_take(uint64_t *word, uint64_t seen, uint32_t ref, uint32_t tid)
{
	return __atomic_compare_exchange_n(word, &seen, plf_global_word(ref, tid), false,
					   __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* The holder's frame is another one. */
static inline void plf_global_note(uint64_t *word, uint32_t ref)
{
	__atomic_store_n(plf_high32(word), ref, __ATOMIC_RELEASE);
}

/* The kernel has granted the word to the calling thread, which names itself. True: from a dead
 * holder. */
static inline __attribute__((warn_unused_result)) bool plf_global_granted(uint64_t *word,
									  uint32_t ref)
{
	plf_global_note(word, ref);
	return (__atomic_fetch_and(plf_low32(word), ~(uint32_t)PLF_GLOBAL_OWNER_DIED,
				   __ATOMIC_SEQ_CST) &
		PLF_GLOBAL_OWNER_DIED) != 0;
}

/* Free the word, which is T's. False: threads wait, and the kernel must hand it on. */
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
