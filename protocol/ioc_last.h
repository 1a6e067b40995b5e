/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_LAST_H
#define PLF_IOC_LAST_H

/*
 * The last value of one sender, for one receiver, on one core or on two, in memory that both may
 * write.
 *
 * Source: Simpson 1990, "Four-slot fully asynchronous communication mechanism"; AUTOSAR OS, IOC,
 * for what the services promise. Here one store says both of a write: the pair, and its slot.
 *
 * Two pairs of slots. The sender writes to the pair that the receiver does not announce, and there
 * to the slot that does not hold the pair's last value. Neither waits or tries again. All that
 * decides is in the words: a task that is ended in the middle has done nothing, and begins again.
 *
 * Invariants:
 *  L1  the sender never writes to the slot that the receiver reads;
 *  L2  a slot that the words lead to holds a whole value, which was the last one at an instant of
 *      the read;
 *  L3  the sender stores `written` before it looks at `reading` for the next value, and the
 *      receiver stores `reading` before it looks at `written`: one of the two sees the other.
 *      That is what the full barriers are for. From there an address leads to the data, which
 *      orders them.
 *
 * Only some bits of each word are used: so whatever stands there, a slot is one of the four.
 */
#include "word.h"

enum { PLF_IOC_SLOTS = 4 };

struct plf_ioc_last {
	uint32_t
		written; /* bit 0: the pair that was written last; 1 and 2: the slot of each pair */
	uint32_t reading; /* bit 0: the pair that is read; the receiver's, and `written` the
			     sender's */
};

static inline uint32_t plf_ioc_slot_of(uint32_t written, uint32_t pair)
{
	return written >> (1 + pair) & 1;
}

/* The slot for the next value. The sender's. */
static inline uint32_t plf_ioc_last_claim(const struct plf_ioc_last *last)
{
	uint32_t pair;

	plf_full_barrier();
	pair = ~plf_load32(&last->reading) & 1;
	return 2 * pair + !plf_ioc_slot_of(plf_load32(&last->written), pair);
}

/* It is filled. The sender's. */
static inline void plf_ioc_last_publish(struct plf_ioc_last *last, uint32_t place)
{
	uint32_t pair = place >> 1;
	uint32_t slots =
		(plf_load32(&last->written) & 6) ^ 2U << pair; /* the other one of its pair */

	plf_store_release32(&last->written, slots | pair);
}

/* The slot of the last value, until the next of these calls. The receiver's. */
static inline uint32_t plf_ioc_last_find(struct plf_ioc_last *last)
{
	uint32_t pair = plf_load32(&last->written) & 1;

	plf_store_release32(&last->reading, pair); /* behind what it has read so far */
	plf_full_barrier();
	return 2 * pair + plf_ioc_slot_of(plf_load32(&last->written), pair);
}

#endif
