/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_QUEUE_H
#define PLF_IOC_QUEUE_H

/*
 * A queue from a sender to a receiver, on one core or on two, in memory that both may write.
 *
 * Source: AUTOSAR OS, IOC, for the promises of the services; the ring is Lamport's (1983).
 *
 * The ring has a power of two of places, and at most `most` are used at a time. The counts go
 * modulo 2^32. A place is a count's low bits, so any value in the words leads to a place of the
 * ring. There are no retries.
 *
 * Invariants:
 *  Q1  the places from `head` to before `tail` hold messages and belong to the receiver. All others
 *      belong to the sender. There are 0 to `most` messages;
 *  Q2  each word has a single writer. A service takes effect with a single store, of `tail`, `lost`
 *      or `head`. A task that is ended before that store has done nothing, and begins again;
 *  Q3  `lost` differs from `seen` if a message was lost since the last report. The receiver of a
 *      message learns of all losses before that message was sent.
 */
#include "word.h"

/* Written only by the sender. */
struct plf_ioc_sent {
	uint32_t tail; /* messages sent */
	uint32_t lost; /* messages lost because there was no free place */
};

/* Written only by the receiver. */
struct plf_ioc_taken {
	uint32_t head; /* messages received or dropped */
	uint32_t seen; /* losses reported */
};

/*
 * Find the place for the next message. False: the queue is full, and the message is lost. Only for
 * the sender.
 */
static inline __attribute__((warn_unused_result)) bool
plf_ioc_queue_claim(struct plf_ioc_sent *sent, const struct plf_ioc_taken *taken, uint32_t most,
		    uint32_t mask, uint32_t *place)
{
	uint32_t tail = plf_load32(&sent->tail);

	*place = tail & mask;
	if (tail - plf_load_acquire32(&taken->head) < most)
		return true;
	plf_store32(&sent->lost, plf_load32(&sent->lost) + 1);
	return false;
}

/* Publish the message in that place. Only for the sender. */
static inline void plf_ioc_queue_publish(struct plf_ioc_sent *sent)
{
	plf_store_release32(&sent->tail, plf_load32(&sent->tail) + 1);
}

/* Find the place of the oldest message. False: the queue is empty. Only for the receiver. */
static inline __attribute__((warn_unused_result)) bool
plf_ioc_queue_first(const struct plf_ioc_taken *taken, const struct plf_ioc_sent *sent,
		    uint32_t mask, uint32_t *place)
{
	uint32_t head = plf_load32(&taken->head);

	*place = head & mask;
	return plf_load_acquire32(&sent->tail) != head;
}

/*
 * Free the place of that message, after copying it. True: other messages were lost. Only for the
 * receiver.
 */
static inline __attribute__((warn_unused_result)) bool
plf_ioc_queue_release(struct plf_ioc_taken *taken, const struct plf_ioc_sent *sent)
{
	uint32_t lost = plf_load32(&sent->lost);
	bool has_lost = lost != plf_load32(&taken->seen);

	plf_store_release32(&taken->head, plf_load32(&taken->head) + 1);
	if (has_lost)
		plf_store32(&taken->seen, lost);
	return has_lost;
}

/* Drop all messages and forget the losses so far. Only for the receiver. */
static inline void plf_ioc_queue_empty(struct plf_ioc_taken *taken, const struct plf_ioc_sent *sent)
{
	uint32_t tail = plf_load_acquire32(&sent->tail);

	plf_store32(&taken->seen, plf_load32(&sent->lost));
	plf_store_release32(&taken->head, tail);
}

#endif
