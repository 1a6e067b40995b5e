/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_LAST_H
#define PLF_IOC_LAST_H

/*
 * The last value of a sender, for a receiver, on one core or on two, in memory that both may write.
 *
 * Source: Simpson 1990, "Four-slot fully asynchronous communication mechanism"; AUTOSAR OS, IOC,
 * for the promises of the services. Unlike Simpson's, a single store publishes both the pair and
 * its slot.
 *
 * There are two pairs of slots. The sender writes to the pair that the receiver does not announce.
 * In it, the sender uses the slot without that pair's last value. Neither side waits or retries.
 * All state is in the two words, so a task that is ended halfway has done nothing and begins again.
 *
 * Invariants:
 *  L1  the sender never writes to the slot that the receiver reads;
 *  L2  a slot to which the words lead holds a whole value, which was the last value at some instant
 *      of the read;
 *  L3  the sender stores `written` before it reads `reading` for the next value. The receiver
 *      stores `reading` before it reads `written`. The full barriers ensure that the sender or the
 *      receiver sees the other. From there an address dependency orders the accesses to the data.
 *
 * Only some bits of each word are used, so any value leads to a valid slot.
 */
#include "word.h"

enum { PLF_IOC_SLOTS = 4 };

struct plf_ioc_last {
	uint32_t
		written; /* bit 0: the pair that was written last; 1 and 2: the slot of each pair */
	/*
	 * bit 0: the pair that is read. Only the receiver writes it, and only the sender writes
	 * `written`.
	 */
	uint32_t reading;
};

static inline uint32_t plf_ioc_slot_of(uint32_t written, uint32_t pair)
{
	return written >> (1 + pair) & 1;
}

/* Return the slot for the next value. Only for the sender. */
static inline uint32_t plf_ioc_last_claim(const struct plf_ioc_last *last)
{
	uint32_t pair;

	plf_full_barrier();
	pair = ~plf_load32(&last->reading) & 1;
	return 2 * pair + !plf_ioc_slot_of(plf_load32(&last->written), pair);
}

/* Publish the filled slot. Only for the sender. */
static inline void plf_ioc_last_publish(struct plf_ioc_last *last, uint32_t place)
{
	uint32_t pair = place >> 1;
	uint32_t slots =
		(plf_load32(&last->written) & 6) ^ 2U << pair; /* the other slot of its pair */

	plf_store_release32(&last->written, slots | pair);
}

/* Return the slot of the last value. It stays valid until the next call. Only for the receiver. */
static inline uint32_t plf_ioc_last_find(struct plf_ioc_last *last)
{
	uint32_t pair = plf_load32(&last->written) & 1;

	plf_store_release32(&last->reading, pair); /* behind what it has read so far */
	plf_full_barrier();
	return 2 * pair + plf_ioc_slot_of(plf_load32(&last->written), pair);
}

#endif
