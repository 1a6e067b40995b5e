/* SPDX-License-Identifier: MIT */
#ifndef PLF_EVENT_WORD_H
#define PLF_EVENT_WORD_H

/*
 * The events of a task that tasks of all cores may set, and for which it waits: one word.
 *
 * Source: Mueller 2014, Section IV.A. Several cores that set events at once must unblock the task
 * once, and an event that is set while the task is about to block must not be lost. The paper
 * orders its steps for that; here a look and what follows from it are one compare-and-swap.
 *
 *   bit 63    waits: the task is blocked
 *   bits 62 to 32  the events that it waits for, or waited for last
 *   bit 31    active: the task is not suspended
 *   bits 30 to 0   the events that are set
 *
 * Every core begins an activation and sets events; the task's own core alone waits, clears, and
 * ends the activation, or puts another one in its place.
 *
 * Invariants:
 *  I1  a word that is not active is 0: a suspended task has no events, nor gets any;
 *  I2  while it waits, none of the events that it waits for is set;
 *  I3  one setter takes `waits` out of the word, and that one makes the task ready.
 */
#include "word.h"

enum { PLF_EVENT_WORD_MOST = 31 };

#define PLF_EVENT_ACTIVE (UINT64_C(1) << PLF_EVENT_WORD_MOST)
#define PLF_EVENT_ALL	 (PLF_EVENT_ACTIVE - 1)
#define PLF_EVENT_SHIFT	 32
#define PLF_EVENT_WAITS	 (PLF_EVENT_ACTIVE << PLF_EVENT_SHIFT)

/* The task has an activation now; false: it had one. Of any core. */
static inline __attribute__((warn_unused_result)) bool plf_event_begin(uint64_t *word)
{
	uint64_t none = 0;

	return plf_shared_cas64(word, &none, PLF_EVENT_ACTIVE);
}

/*
 * A swap, not a store: when the core goes on, all others see it, and a core whose service comes
 * later finds no older word.
 */
static inline void plf_event_become(uint64_t *word, uint64_t next)
{
	uint64_t seen = plf_load64(word);

	while (!plf_shared_cas64(word, &seen, next))
		;
}

/* The activation is over, and another one follows at once: no event is set. */
static inline void plf_event_renew(uint64_t *word)
{
	plf_event_become(word, PLF_EVENT_ACTIVE);
}

/* The activation is over. What is set meanwhile goes with it. */
static inline void plf_event_end(uint64_t *word)
{
	plf_event_become(word, 0);
}

/* Whether the task is active, and the events that are set. */
static inline uint64_t plf_event_seen(const uint64_t *word)
{
	return plf_load_acquire64(word);
}

static inline bool plf_event_is_waiting(uint64_t seen)
{
	return (seen & PLF_EVENT_WAITS) != 0;
}

/* What the word becomes when these events are set. */
static inline uint64_t plf_event_with(uint64_t seen, uint64_t events)
{
	uint64_t with = seen | events;

	return with & seen >> PLF_EVENT_SHIFT & PLF_EVENT_ALL ? with & ~PLF_EVENT_WAITS : with;
}

/*
 * Sets events, of any core, and returns what the word was: if it was not active, nothing was set;
 * plf_event_wakes() says whether the caller has to make the task ready.
 */
static inline __attribute__((warn_unused_result)) uint64_t plf_event_set(uint64_t *word,
									 uint64_t events)
{
	uint64_t seen = plf_load64(word);

	events &= PLF_EVENT_ALL;
	do {
		if (!(seen & PLF_EVENT_ACTIVE))
			break;
	} while (!plf_shared_cas64(word, &seen, plf_event_with(seen, events)));
	return seen;
}

static inline bool plf_event_wakes(uint64_t seen, uint64_t events)
{
	return (seen & ~plf_event_with(seen, events & PLF_EVENT_ALL) & PLF_EVENT_WAITS) != 0;
}

static inline void plf_event_clear(uint64_t *word, uint64_t events)
{
	uint64_t seen = plf_load64(word);

	events &= PLF_EVENT_ALL;
	while (!plf_shared_cas64(word, &seen, seen & ~events))
		;
}

/* The running task waits for one of these from now on; false: one of them is set. */
static inline __attribute__((warn_unused_result)) bool plf_event_wait(uint64_t *word,
								      uint64_t events)
{
	uint64_t seen = plf_load_acquire64(word);

	events &= PLF_EVENT_ALL;
	do {
		if (seen & events)
			return false;
	} while (!plf_shared_cas64(word, &seen,
				   (seen & (PLF_EVENT_ACTIVE | PLF_EVENT_ALL)) | PLF_EVENT_WAITS |
					   events << PLF_EVENT_SHIFT));
	return true;
}

#endif
