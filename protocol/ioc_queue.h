/* SPDX-License-Identifier: MIT */
#ifndef PLF_IOC_QUEUE_H
#define PLF_IOC_QUEUE_H

/*
 * A queue of one sender and one receiver, on one core or on two, in memory that both may write.
 *
 * Source: AUTOSAR OS, IOC, for what the services promise; the ring is Lamport's (1983).
 *
 * A ring with a power of two of places, of which `most` are used at a time. The counts go modulo
 * 2^32, and a place is a count's low bits: so whatever stands in the words, a place is one of the
 * ring. There are no retries.
 *
 * Invariants:
 *  Q1  the places from `head` to before `tail` hold messages, and are the receiver's; all others
 *      are the sender's. There are 0 to `most` messages;
 *  Q2  each word has one writer. What a service does counts from one store on, of `tail`, `lost` or
 *      `head`: a task that is ended before that has done nothing, and begins again;
 *  Q3  `lost` differs from `seen` if a message was lost since the last report. What was lost
 *      before a message was sent, the receiver of that one knows.
 */
#include "word.h"

/* The sender's. */
struct plf_ioc_sent {
	uint32_t tail; /* so many were sent */
	uint32_t lost; /* so many were not, because there was no place */
};

/* The receiver's. */
struct plf_ioc_taken {
	uint32_t head; /* so many were received, or dropped */
	uint32_t seen; /* so many losses were reported */
};

/* The place for the next message; false: there is none, and the message is lost. The sender's. */
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

/* That place is filled. The sender's. */
static inline void plf_ioc_queue_publish(struct plf_ioc_sent *sent)
{
	plf_store_release32(&sent->tail, plf_load32(&sent->tail) + 1);
}

/* The place of the oldest message; false: there is none. The receiver's. */
static inline __attribute__((warn_unused_result)) bool
plf_ioc_queue_first(const struct plf_ioc_taken *taken, const struct plf_ioc_sent *sent,
		    uint32_t mask, uint32_t *place)
{
	uint32_t head = plf_load32(&taken->head);

	*place = head & mask;
	return plf_load_acquire32(&sent->tail) != head;
}

/* That message has been copied; true: others were lost. The receiver's. */
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

/* All that is there is dropped, and what was lost before is forgotten. The receiver's. */
static inline void plf_ioc_queue_empty(struct plf_ioc_taken *taken, const struct plf_ioc_sent *sent)
{
	uint32_t tail = plf_load_acquire32(&sent->tail);

	plf_store32(&taken->seen, plf_load32(&sent->lost));
	plf_store_release32(&taken->head, tail);
}

#endif
