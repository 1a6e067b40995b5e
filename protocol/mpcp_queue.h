/* SPDX-License-Identifier: MIT */
#ifndef PLF_MPCP_QUEUE_H
#define PLF_MPCP_QUEUE_H

/*
 * The queue of a resource that tasks of several cores use, for the multiprocessor priority ceiling
 * protocol. Its tasks wait suspended, the most urgent first.
 *
 * Source: Mueller 2014, Section VII, Figure 4: steps D, E, K, L and M. A single access enters or
 * leaves the queue and returns its previous value. Steps B, C, H and J block a task before it is in
 * the queue. Here a grant that comes before its waiter has blocked is kept instead.
 *
 *  queue   a bit for each user that is inside or waits; the most urgent user has the highest bit.
 *          It is on a page that users may write, so the kernel may find any value at any time
 *  state   of each user: whether it waits, or has been granted the resource. Only the kernel writes
 *          it
 *
 * Invariants, while users keep to the functions below:
 *  I1  the holder is in the queue. A user that finds the queue empty is the holder, and there is no
 *      other holder;
 *  I2  a holder that leaves others behind grants the resource to the highest of them. Only a task
 *      that leaves grants it. A newcomer finds the queue not empty meanwhile;
 *  I3  a grant is taken once: by its user's block, or by the granter, which then wakes the user.
 *
 * Between its enqueue and its block a task runs nothing that could end it. So a task that ends
 * while it is in the queue is the holder. Users that break the rules harm only users. A grant to a
 * task that is not in the queue wakes no task, and is forgotten when the activation ends.
 *
 * For a resource with more users than a word has bits, see "By core" at the end.
 */
#include "word.h"

enum { PLF_MPCP_MOST = 64 }; /* users in a word */

/* ---- The task's half ------------------------------------------------------------ */

/*
 * True: the caller has the resource. False: the caller must block, and has the resource afterwards.
 */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_enter(uint64_t *queue, uint64_t bit)
{
	return plf_shared_set64(queue, bit) == 0;
}

/* True: others wait, and the caller must grant the resource to the highest of them. */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_leave(uint64_t *queue, uint64_t bit)
{
	return plf_shared_clear64(queue, bit) != bit;
}

/* ---- The kernel's half ---------------------------------------------------------- */

enum plf_mpcp_state {
	PLF_MPCP_IDLE,
	PLF_MPCP_WAITS,	  /* the user is suspended */
	PLF_MPCP_GRANTED, /* the user has not blocked yet */
};

/*
 * Find the user that is granted the resource next. False: no user is left. `users`: the bits of the
 * users that exist.
 */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_next(const uint64_t *queue,
								     uint64_t users, unsigned *next)
{
	uint64_t left = plf_load_acquire64(queue) & users;

	if (left == 0)
		return false;
	*next = 63U - (unsigned)__builtin_clzll(left);
	return true;
}

/* Suspend the user, on its own core. False: the user already has the resource. */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_block(uint32_t *state)
{
	uint32_t seen = PLF_MPCP_IDLE;

	if (plf_shared_cas32(state, &seen, PLF_MPCP_WAITS))
		return true;
	plf_store_release32(state, PLF_MPCP_IDLE);
	return false;
}

/*
 * Grant the resource, on any core. True: the user was suspended, and the caller must make it ready.
 */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_grant(uint32_t *state)
{
	uint32_t seen = plf_load32(state);

	do {
		if (seen == PLF_MPCP_GRANTED)
			return false;
	} while (!plf_shared_cas32(state, &seen,
				   seen == PLF_MPCP_WAITS ? PLF_MPCP_IDLE : PLF_MPCP_GRANTED));
	return seen == PLF_MPCP_WAITS;
}

static inline bool plf_mpcp_is_waiting(const uint32_t *state)
{
	return plf_load_acquire32(state) == PLF_MPCP_WAITS;
}

/*
 * End the activation of a user, which is running. True: it was in the queue and left others behind,
 * and the caller must grant the resource to the highest of them.
 */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_end(uint64_t *queue, uint64_t bit,
								    uint32_t *state)
{
	uint64_t seen = plf_load64(queue);

	plf_store_release32(state, PLF_MPCP_IDLE);
	do {
		if (!(seen & bit))
			return false;
	} while (!plf_shared_cas64(queue, &seen, seen & ~bit));
	return (seen & ~bit) != 0;
}

/* ---- By core: more users than a word has bits ------------------------------------- */

/*
 * Mueller 2014, Section VII.D: the users of a core first compete with each other, and then the core
 * competes for the resource.
 *
 *  queue[0]           a bit for each core that has users; the core with the most urgent user has
 *                     the highest bit, which is the core's place
 *  queue[1 + place]   the core's word: a bit for each user of the core, as above
 *
 * The task's functions run at the ceiling of the resource, and the kernel's functions are not
 * interrupted. So a user between its two accesses keeps the other users of its core out of theirs.
 * No other core writes the core's word.
 *
 * Invariants, besides I1 to I3:
 *  I4  a core is in the queue if and only if its word is not empty, except while a user is between
 *      its accesses. So a user that finds others in the word must wait. A user that leaves others
 *      there leaves the core in the queue;
 *  I5  a user that hands over finds a user in the word of the highest core. That user came into the
 *      word before its core came into the queue. It stays, because no user of the core is inside
 *      until it is granted the resource.
 *
 * Users that write garbage harm only users, as above.
 */

static inline __attribute__((warn_unused_result)) bool
plf_mpcp_enter_by_core(uint64_t *queue, unsigned place, uint64_t bit)
{
	return plf_mpcp_enter(&queue[1 + place], bit) &&
	       plf_mpcp_enter(queue, UINT64_C(1) << place);
}

static inline __attribute__((warn_unused_result)) bool
plf_mpcp_leave_by_core(uint64_t *queue, unsigned place, uint64_t bit)
{
	return plf_mpcp_leave(&queue[1 + place], bit) ||
	       plf_mpcp_leave(queue, UINT64_C(1) << place);
}

/* `cores`: the bits of the cores that exist. `users`: the bits of each core's users, by place. */
static inline __attribute__((warn_unused_result)) bool
plf_mpcp_next_by_core(const uint64_t *queue, uint64_t cores, const uint64_t *users, unsigned *place,
		      unsigned *next)
{
	return plf_mpcp_next(queue, cores, place) &&
	       plf_mpcp_next(&queue[1 + *place], users[*place], next);
}

/*
 * A user that is not in the word leaves the queue unchanged, even if the word is empty. It may end
 * while it preempts a user that is between its two accesses.
 */
static inline __attribute__((warn_unused_result)) bool
plf_mpcp_end_by_core(uint64_t *queue, unsigned place, uint64_t bit, uint32_t *state)
{
	bool was_in = plf_load64(&queue[1 + place]) & bit;

	return plf_mpcp_end(&queue[1 + place], bit, state) ||
	       (was_in && plf_mpcp_end(queue, UINT64_C(1) << place, state));
}

#endif
