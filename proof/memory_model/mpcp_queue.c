/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: cores use the queue of a resource, and the state of a user, by
 * protocol/mpcp_queue.h. The rules are about the values that threads return. The resource protects
 * `data`. A task that is about to wait writes `level`.
 *
 * The first user has left when it hands over to the second. The choice of the highest user is a
 * single look at the queue, so the tests need no more users. By core, `queue` holds the cores, and
 * `word` the users of the second user's core. The functions by core call the same two functions in
 * turn.
 */
#include "mpcp_queue.h"

enum { FIRST = 1, SECOND = 2 }; /* their bits */
enum { UNSEEN, SEEN, NOT_IN, ALONE, OTHERS, IN, HAS_TO_WAIT, WAITING, KEPT, WOKEN };

/* ---- A section ends, and the next begins ---------------------------------------------- */

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

/* ---- A user waits, and a user leaves --------------------------------------------------- */

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

/* Makes the user ready, at the level that it wrote. */
int grants_and_reads(uint64_t *queue, uint32_t *state, int *data, const int *level)
{
	(void)queue, (void)data;
	return plf_mpcp_grant(state) ? *level : KEPT;
}

/* The user was suspended, and another core makes it ready. */
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

/* Other users remain in the word of its core, so leaving made no access to the queue. */
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

/* The user is granted the resource, and hands it over to the highest user of that core. */
int blocks_and_looks(uint64_t *queue, uint32_t *state, int *data, int *level, uint64_t *word)
{
	unsigned found;

	(void)queue, (void)data, (void)level;
	if (plf_mpcp_block(state))
		return WAITING;
	return plf_mpcp_next(word, FIRST, &found) ? UNSEEN : SEEN;
}
