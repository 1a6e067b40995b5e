/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: what cores do with the queue of a resource and with the state of
 * a user (the functions are those of protocol/mpcp_queue.h). What a thread returns is looked at.
 * `data` is what the resource protects, `level` what a task writes that is going to wait. The first
 * user has left when it hands over to the second one; that this is the highest takes no more than
 * one look at the queue. By core `word` is the second one's core's, and `queue` has the cores; the
 * functions by core are the same two, one after the other.
 */
#include "mpcp_queue.h"

enum { FIRST = 1, SECOND = 2 }; /* their bits */
enum { UNSEEN, SEEN, NOT_IN, ALONE, OTHERS, IN, HAS_TO_WAIT, WAITING, KEPT, WOKEN };

/* ---- A section ends, and the next one begins ------------------------------------------ */

int leaves(uint64_t *queue, uint32_t *state, int *data)
{
	(void)state;
	*data = SEEN;
	return plf_mpcp_leave(queue, FIRST) ? OTHERS : ALONE;
}

int reads_and_leaves(uint64_t *queue, uint32_t *state, const int *data)
{
	int value = *data;

	(void)state;
	return plf_mpcp_leave(queue, FIRST) ? NOT_IN : value;
}

int ends(uint64_t *queue, uint32_t *state, int *data)
{
	*data = SEEN;
	return plf_mpcp_end(queue, FIRST, state) ? OTHERS : ALONE;
}

int enters(uint64_t *queue, uint32_t *state, const int *data)
{
	(void)state;
	return plf_mpcp_enter(queue, SECOND) ? *data : NOT_IN;
}

int enters_and_writes(uint64_t *queue, uint32_t *state, int *data)
{
	(void)state;
	if (!plf_mpcp_enter(queue, SECOND))
		return NOT_IN;
	*data = SEEN;
	return IN;
}

int enters_first(uint64_t *queue)
{
	return plf_mpcp_enter(queue, FIRST) ? IN : HAS_TO_WAIT;
}

int enters_second(uint64_t *queue)
{
	return plf_mpcp_enter(queue, SECOND) ? IN : HAS_TO_WAIT;
}

/* ---- One that waits, and one that leaves ----------------------------------------------- */

int writes_and_enters(uint64_t *queue, uint32_t *state, int *data)
{
	(void)state;
	*data = SEEN;
	return plf_mpcp_enter(queue, SECOND) ? IN : HAS_TO_WAIT;
}

int leaves_and_reads(uint64_t *queue, uint32_t *state, const int *data)
{
	(void)state;
	return plf_mpcp_leave(queue, FIRST) ? *data : NOT_IN;
}

/* ---- A grant, and a block --------------------------------------------------------------- */

int hands_over(uint64_t *queue, uint32_t *state, int *data)
{
	*data = SEEN;
	if (!plf_mpcp_leave(queue, FIRST))
		return ALONE;
	return plf_mpcp_grant(state) ? WOKEN : KEPT;
}

int blocks(uint64_t *queue, uint32_t *state, const int *data)
{
	(void)queue;
	return plf_mpcp_block(state) ? WAITING : *data;
}

int writes_and_blocks(uint64_t *queue, uint32_t *state, int *data, int *level)
{
	(void)queue, (void)data;
	*level = SEEN;
	return plf_mpcp_block(state) ? WAITING : IN;
}

/* It makes the user ready: at that level. */
int grants_and_reads(uint64_t *queue, uint32_t *state, int *data, const int *level)
{
	(void)queue, (void)data;
	return plf_mpcp_grant(state) ? *level : KEPT;
}

/* It was suspended, and another core makes it ready. */
int is_granted(uint64_t *queue, const uint32_t *state, const int *data)
{
	(void)queue;
	return plf_mpcp_is_waiting(state) ? WAITING : *data;
}

/* ---- By core ------------------------------------------------------------------------------ */

int comes_by_core(uint64_t *queue, uint32_t *state, int *data, int *level, uint64_t *word)
{
	(void)state, (void)data, (void)level;
	return plf_mpcp_enter(word, FIRST) && plf_mpcp_enter(queue, SECOND) ? IN : HAS_TO_WAIT;
}

/* Others of its own core are left: so it looks for the next without an access to the queue. */
int looks_by_core(uint64_t *queue, uint32_t *state, int *data, int *level, uint64_t *word)
{
	unsigned found;

	(void)state, (void)data, (void)level;
	if (!plf_mpcp_next(queue, SECOND, &found))
		return NOT_IN;
	return plf_mpcp_next(word, FIRST, &found) ? SEEN : ALONE;
}

int hands_over_by_core(uint64_t *queue, uint32_t *state, int *data, int *level, uint64_t *word)
{
	(void)queue, (void)data, (void)level;
	if (!plf_mpcp_leave(word, FIRST))
		return ALONE;
	return plf_mpcp_grant(state) ? WOKEN : KEPT;
}

/* It is granted the resource, and hands it over to the highest of that core. */
int blocks_and_looks(uint64_t *queue, uint32_t *state, int *data, int *level, uint64_t *word)
{
	unsigned found;

	(void)queue, (void)data, (void)level;
	if (plf_mpcp_block(state))
		return WAITING;
	return plf_mpcp_next(word, FIRST, &found) ? UNSEEN : SEEN;
}
