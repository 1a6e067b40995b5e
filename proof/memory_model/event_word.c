/* SPDX-License-Identifier: MIT */
/*
 * The threads of the litmus tests: services of kernel/cores/several on a task's event word, by the
 * functions of protocol/event_word.h. The rules are about the values that threads return. `data`
 * was written by a core before its service. Another core reads it after a service that found an
 * effect of the first.
 */
#include "event_word.h"

enum { SEEN = 1, NOT_IN, FAILED, DONE, BLOCKS, REFUSED, SET, WAKES };
enum { RUNNING = 10, WAITING, READY }; /* results of GetTaskState */
enum { ONE = 1, OTHER = 2 };	       /* events */

static inline int effect(uint64_t seen, uint64_t events)
{
	if (!(seen & PLF_EVENT_ACTIVE))
		return REFUSED;
	return plf_event_wakes(seen, events) ? WAKES : SET;
}

/* ---- Threads on any core ------------------------------------------------------------ */

int sets(uint64_t *word, int *data)
{
	*data = SEEN;
	return effect(plf_event_set(word, ONE), ONE);
}

int sets_other(uint64_t *word)
{
	return effect(plf_event_set(word, OTHER), OTHER);
}

int sets_if_waiting(uint64_t *word, const int *data)
{
	return effect(plf_event_set(word, ONE), ONE) == WAKES ? *data : NOT_IN;
}

int sets_if_active(uint64_t *word, const int *data)
{
	return effect(plf_event_set(word, ONE), ONE) == SET ? *data : NOT_IN;
}

int finds_event(const uint64_t *word, const int *data)
{
	return plf_event_seen(word) & ONE ? *data : NOT_IN;
}

int finds_none(const uint64_t *word, const int *data)
{
	return plf_event_seen(word) & ONE ? NOT_IN : *data;
}

int begins(uint64_t *word)
{
	return plf_event_begin(word) ? DONE : FAILED;
}

int begins_behind(uint64_t *word, int *data)
{
	*data = SEEN;
	return plf_event_begin(word) ? DONE : FAILED;
}

int begins_before(uint64_t *word, const int *data)
{
	return plf_event_begin(word) ? *data : NOT_IN;
}

/* GetTaskState of a task that ran until now. */
int asks(const uint64_t *word, const int *other_runs)
{
	if (!__atomic_load_n(other_runs, __ATOMIC_ACQUIRE))
		return RUNNING;
	return plf_event_is_waiting(plf_event_seen(word)) ? WAITING : READY;
}

/* ---- Threads on the task's core ------------------------------------------------------ */

int waits(uint64_t *word, int *data)
{
	*data = SEEN;
	return plf_event_wait(word, ONE) ? BLOCKS : DONE;
}

int waits_or_reads(uint64_t *word, const int *data)
{
	return plf_event_wait(word, ONE) ? BLOCKS : *data;
}

/* After the wait another task of the core runs, as after plf_set_running(). */
int waits_and_switches(uint64_t *word, int *other_runs)
{
	if (!plf_event_wait(word, ONE))
		return FAILED;
	__atomic_store_n(other_runs, true, __ATOMIC_RELEASE);
	return DONE;
}

int clears(uint64_t *word, const int *data)
{
	plf_event_clear(word, ONE);
	return *data;
}

int ends(uint64_t *word, int *data)
{
	*data = SEEN;
	plf_event_end(word);
	return DONE;
}

int ends_before(uint64_t *word, const int *data)
{
	plf_event_end(word);
	return *data;
}

int renews(uint64_t *word, int *data)
{
	*data = SEEN;
	plf_event_renew(word);
	return DONE;
}
