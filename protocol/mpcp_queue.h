/* SPDX-License-Identifier: MIT */
#ifndef PLF_MPCP_QUEUE_H
#define PLF_MPCP_QUEUE_H

/*
 * The queue of a resource that tasks of several cores use: the multiprocessor priority ceiling
 * protocol, whose tasks wait suspended, the most urgent first.
 *
 * Source: Mueller 2014, Section VII, Figure 4: steps D, E, K, L and M. Entering or leaving the
 * queue and the look at what it was are one access. Instead of steps B, C, H and J, which block a
 * task before it is in the queue, a grant that comes before its waiter has blocked is kept.
 *
 *   queue   a bit a user, the most urgent user the highest bit: those that are inside or wait. On a
 *           page of the users' own: the kernel finds any value there, at any time
 *   state   of each user, the kernel's: whether it waits, or has been granted the resource
 *
 * Invariants, while users keep to the functions below:
 *  I1  the holder is in the queue; one that finds the queue empty is the holder, and no other is;
 *  I2  a holder that leaves others behind grants the resource to the highest of them, and no task
 *      that does not leave grants it. A newcomer finds the queue not empty meanwhile;
 *  I3  a grant is taken once: by its user's block, or by the granter, which then wakes the user.
 *
 * A task runs nothing between its enqueue and its block that could end it: so one that ends, and is
 * in the queue, is the holder. Users that do not keep to the functions harm the users: a grant to a
 * task that is not in the queue wakes no task, and is forgotten with the activation.
 *
 * A resource with more users than a word has bits goes by core: see the end.
 */
#include "word.h"

enum { PLF_MPCP_MOST = 64 }; /* users in a word */

/* ---- The task's half ------------------------------------------------------------ */

/* True: the resource is the caller's. Else it has to block, and has the resource then. */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_enter(uint64_t *queue, uint64_t bit)
{
	return plf_shared_set64(queue, bit) == 0;
}

/* True: there are others, and the caller has to grant the resource to the highest. */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_leave(uint64_t *queue, uint64_t bit)
{
	return plf_shared_clear64(queue, bit) != bit;
}

/* ---- The kernel's half ---------------------------------------------------------- */

enum plf_mpcp_state {
	PLF_MPCP_IDLE,
	PLF_MPCP_WAITS,	  /* it is suspended */
	PLF_MPCP_GRANTED, /* it has not blocked yet */
};

/* The user that is granted the resource next, of those that there are; false: none is left. */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_next(const uint64_t *queue,
								     uint64_t users, unsigned *next)
{
	uint64_t left = plf_load_acquire64(queue) & users;

	if (left == 0)
		return false;
	*next = 63U - (unsigned)__builtin_clzll(left);
	return true;
}

/* Of the user's core: it is suspended from now on. False: the resource is its own already. */
static inline __attribute__((warn_unused_result)) bool plf_mpcp_block(uint32_t *state)
{
	uint32_t seen = PLF_MPCP_IDLE;

	if (plf_shared_cas32(state, &seen, PLF_MPCP_WAITS))
		return true;
	plf_store_release32(state, PLF_MPCP_IDLE);
	return false;
}

/* Of any core. True: the user was suspended, and the caller makes it ready. */
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
 * The activation of a user, which runs, is over. True: it was in the queue and left others behind,
 * and the caller grants the resource to the highest.
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
 * Mueller 2014, Section VII.D: the users of a core compete with each other first, and the core for
 * the resource.
 *
 *   queue[0]           a bit a core that has users, that with the most urgent one the highest: its
 *                      place
 *   queue[1 + place]   a bit a user of the core, as above: the core's word
 *
 * The functions of the task's half run at the ceiling of the resource, and the kernel's are not
 * interrupted: so a user that is between its two accesses keeps the others of its core out of
 * theirs, and no other core writes the core's word.
 *
 * Invariants, besides those above:
 *  I4  but for such a user, a core is in the queue if, and only if, its word is not empty. So one
 *      that finds others in the word has to wait, and one that leaves others there leaves the core
 *      in the queue;
 *  I5  one that hands over finds a user in the word of the highest core. The core came into the
 *      queue after that user came into the word; and the user does not leave, for none is inside
 *      until it is granted the resource.
 *
 * Garbage harms the users, as above.
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

/* `cores`: those that there are; `users`: of each of these, by place. */
static inline __attribute__((warn_unused_result)) bool
plf_mpcp_next_by_core(const uint64_t *queue, uint64_t cores, const uint64_t *users, unsigned *place,
		      unsigned *next)
{
	return plf_mpcp_next(queue, cores, place) &&
	       plf_mpcp_next(&queue[1 + *place], users[*place], next);
}

/*
 * One that is not in the word leaves the queue alone, although the word is empty: it may end above
 * a user that is between its two accesses.
 */
static inline __attribute__((warn_unused_result)) bool
plf_mpcp_end_by_core(uint64_t *queue, unsigned place, uint64_t bit, uint32_t *state)
{
	bool was_in = plf_load64(&queue[1 + place]) & bit;

	return plf_mpcp_end(&queue[1 + place], bit, state) ||
	       (was_in && plf_mpcp_end(queue, UINT64_C(1) << place, state));
}

#endif
