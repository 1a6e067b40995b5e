/* SPDX-License-Identifier: MIT */
#ifndef PLF_EVENT_WORD_H
#define PLF_EVENT_WORD_H

/*
 * The events of a task, in one word. Tasks of all cores may set them, and the task waits for them.
 *
 * Source: Mueller 2014, Section IV.A. If several cores set events at once, they must unblock the
 * task once. An event that is set while the task is about to block must not be lost. The paper
 * orders its steps for that. Here each test and the change that follows are a single
 * compare-and-swap.
 *
 *   bit 63         waits: the task is blocked
 *   bits 62 to 32  the events that the task waits for, or waited for last
 *   bit 31         active: the task is not suspended
 *   bits 30 to 0   the events that are set
 *
 * Every core may begin an activation and set events. Only the task's core waits, clears events, and
 * ends or renews the activation.
 *
 * Invariants:
 *  I1  a word that is not active is 0, so a suspended task has no events and gets none;
 *  I2  while the task waits, none of the events that it waits for is set;
 *  I3  exactly one setter takes `waits` out of the word, and that setter makes the task ready.
 */
#include "word.h"

enum { PLF_EVENT_WORD_MOST = 31 };

#define PLF_EVENT_ACTIVE (UINT64_C(1) << PLF_EVENT_WORD_MOST)
#define PLF_EVENT_ALL	 (PLF_EVENT_ACTIVE - 1)
#define PLF_EVENT_SHIFT	 32
#define PLF_EVENT_WAITS	 (PLF_EVENT_ACTIVE << PLF_EVENT_SHIFT)

/* Begin an activation, on any core. False: the task already has an activation. */
static inline __attribute__((warn_unused_result)) bool plf_event_begin(uint64_t *word)
{
	uint64_t none = 0;

	return plf_shared_cas64(word, &none, PLF_EVENT_ACTIVE);
}

/*
 * A swap, not a store. When this core goes on, all other cores see the new word, so a later service
 * on another core finds no older word.
 */
static inline void plf_event_become(uint64_t *word, uint64_t next)
{
	uint64_t seen = plf_load64(word);

	while (!plf_shared_cas64(word, &seen, next))
		;
}

/* End the activation and begin another at once, with no event set. */
static inline void plf_event_renew(uint64_t *word)
{
	plf_event_become(word, PLF_EVENT_ACTIVE);
}

/* End the activation. Events set until then are lost. */
static inline void plf_event_end(uint64_t *word)
{
	plf_event_become(word, 0);
}

/* Return the word: whether the task is active, and the events that are set. */
static inline uint64_t plf_event_seen(const uint64_t *word)
{
	return plf_load_acquire64(word);
}

static inline bool plf_event_is_waiting(uint64_t seen)
{
	return (seen & PLF_EVENT_WAITS) != 0;
}

/* Return the word after these events are set. */
static inline uint64_t plf_event_with(uint64_t seen, uint64_t events)
{
	uint64_t with = seen | events;

	return with & seen >> PLF_EVENT_SHIFT & PLF_EVENT_ALL ? with & ~PLF_EVENT_WAITS : with;
}

/*
 * Set events, on any core, and return the word before. If the task was not active, nothing was set.
 * plf_event_wakes() returns whether the caller must make the task ready.
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

/* Let the running task wait for one of these events. False: one of them is already set. */
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
