/* SPDX-License-Identifier: MIT */
#ifndef PLF_LAZY_FLOOR_H
#define PLF_LAZY_FLOOR_H

/*
 * The lazy deadline floor, flat and nested: under EDF a task says by a store which relative
 * deadline its open sections ask for, and the kernel shortens its absolute deadline only when
 * the task may lose the processor, reading the clock only then.
 *
 * Source: Almatary, Audsley, Burns 2015, Section IV (flat); the nested form, which the paper
 * leaves to the reader, is Section V's, repaired as in lazy_claim.h. The words are those of the
 * running task T of one processor; floors are in nanoseconds:
 *
 *   claim    the least floor of T's open sections, NONE: it is in none (the paper's
 *            new_rel_deadline, to_raise, start); the kernel writes it only where out of bounds
 *   raised   the claim that the kernel acted on last, NONE: none; the kernel's
 *
 * Two gaps of Theorem 1, each closed here:
 *  - It takes one instant for the reading of the clock and for the new task's deadline. But
 *    deadlines count from arrivals, and the clock is read later: a task whose relative deadline
 *    is the floor would preempt the holder by the difference. So floors count from `instant`,
 *    not after any arrival that the kernel has not handled yet, and the holder wins ties.
 *  - It assumes that each task that becomes ready has just arrived. One that wakes up with the
 *    deadline of an earlier arrival can preempt a holder of a resource that it uses. So a task
 *    that wakes up gets a new deadline, as an arrival does (plf_floor_begin()).
 *
 * And one of nesting: if T is raised in an inner section, leaves it, and its deadline for the
 * outer one were counted from then, a user of the outer one that arrived in between would be
 * earlier. So the kernel keeps the instants of its raises, and counts from that of the first one
 * inside the outer section. Counted from an earlier one, T would keep out tasks that two calls a
 * section would not.
 *
 * Invariants (between any two of T's instructions; R any task that is ready):
 *  I1  from before T is inside a section until after it left, claim is at most its floor;
 *  I2  no R is earlier than T's deadline; or T is about to call the kernel;
 *  I3  floors fall and `since` does not from a raise to the next, and every R that is earlier than
 *      the deadline below a raise, that of the raise before or T's own, arrived at its `since` or
 *      after.
 *
 * A user of a section of T's has a relative deadline of at least its floor. By I3 it is not
 * earlier than since + floor of the first raise inside the section, and T has this deadline or an
 * earlier one until it has left: so the user does not run. If there was no raise, I2 says the same
 * of the deadline that T had before it entered.
 */
#include "word.h"

#define PLF_FLOOR_NONE UINT64_MAX
#define PLF_FLOOR_MOST (UINT64_MAX / 4) /* of floors and relative deadlines, ns: 146 years */

/*
 * Raises that the kernel remembers: one less than the sections nested with falling floors in which
 * T is never more urgent than by two calls a section. Beyond, it is exclusive all the same.
 */
enum { PLF_FLOOR_RAISES = 2 };

struct plf_raise {
	uint64_t since; /* the instant from which its floor counts */
	uint64_t floor;
};

/* The kernel's part of a task. Deadlines are instants. */
struct plf_floor {
	uint64_t own;	   /* the deadline of its activation, or since it woke up */
	uint64_t deadline; /* the one it has: `own`, or an earlier one */
	struct plf_raise raise[PLF_FLOOR_RAISES];
	uint32_t raises; /* so many are in force */
};

/*
 * Instants are nanoseconds modulo 2^64. Right whenever the two are less than 2^63 apart, so
 * while no deadline of a task that has not ended is 146 years old: the rest is what FLOOR_MOST
 * leaves.
 */
static inline __attribute__((warn_unused_result)) bool plf_is_earlier(uint64_t deadline,
								      uint64_t than)
{
	return (int64_t)(deadline - than) < 0;
}

/* ---- The task's half --------------------------------------------------- */

/* Into a section. Returns the claim before it, for the leave. */
static inline __attribute__((warn_unused_result)) uint64_t plf_floor_enter(uint64_t *claim,
									   uint64_t floor)
{
	uint64_t before = plf_load64(claim);

	plf_store64(claim, before < floor ? before : floor);
	plf_barrier();
	return before;
}

/* Out of it. True: the kernel must be called, for T's deadline may be a later one now. */
static inline __attribute__((warn_unused_result)) bool
plf_floor_leave(uint64_t *claim, const uint64_t *raised, uint64_t before)
{
	plf_barrier();
	plf_store64(claim, before);
	return plf_load64(raised) < before;
}

/* ---- The kernel's half ------------------------------------------------- */

/* T begins an activation, or wakes up, with this deadline, outside all sections. */
static inline void plf_floor_begin(struct plf_floor *t, uint64_t deadline)
{
	t->own = deadline;
	t->deadline = deadline;
	t->raises = 0;
}

/* T's deadline by its last raise, or its own. */
static inline __attribute__((warn_unused_result)) uint64_t
plf_floor_below(const struct plf_floor *t)
{
	const struct plf_raise *last;

	if (t->raises == 0)
		return t->own;
	last = &t->raise[t->raises - 1];
	return last->since + last->floor;
}

/* T's claim, NONE or up to MOST. Any value may be found; T's word shows where it was bounded. */
static inline __attribute__((warn_unused_result)) uint64_t plf_floor_bound(uint64_t *claim,
									   uint64_t least)
{
	uint64_t floor = plf_load64(claim);

	if (floor < least)
		plf_store64(claim, floor = least);
	return floor > PLF_FLOOR_MOST ? PLF_FLOOR_NONE : floor;
}

/*
 * A task earlier than T's deadline is ready: T's deadline from now on. That task preempts T if it
 * is still earlier. `instant`: see above; it never goes back. `least`: the least floor of T's
 * resources.
 */
static inline uint64_t plf_floor_raise(struct plf_floor *t, uint64_t *claim, uint64_t *raised,
				       uint64_t instant, uint64_t least)
{
	uint64_t floor = plf_floor_bound(claim, least);

	if (floor != PLF_FLOOR_NONE && plf_is_earlier(instant + floor, t->deadline)) {
		if (t->raises < PLF_FLOOR_RAISES)
			t->raise[t->raises++].since = instant;
		t->raise[t->raises - 1].floor = floor;
		t->deadline = instant + floor;
		plf_store64(raised, floor);
	}
	return t->deadline;
}

/*
 * T called, to give up what it does not claim any more. What it still claims counts from the first
 * of the raises that end.
 */
static inline void plf_floor_settle(struct plf_floor *t, uint64_t *claim, uint64_t *raised,
				    uint64_t least)
{
	uint64_t floor = plf_floor_bound(claim, least);
	uint32_t before = t->raises;
	uint64_t since = 0;

	if (floor == PLF_FLOOR_NONE) {
		plf_floor_begin(t, t->own);
		plf_store64(raised, PLF_FLOOR_NONE);
		return;
	}
	while (t->raises > 0 && t->raise[t->raises - 1].floor < floor)
		since = t->raise[--t->raises].since;
	if (t->raises == before)
		return;
	t->deadline = plf_floor_below(t);
	if (plf_is_earlier(since + floor, t->deadline)) {
		t->raise[t->raises++] = (struct plf_raise) { .since = since, .floor = floor };
		t->deadline = since + floor;
	}
	plf_store64(raised, t->raises > 0 ? t->raise[t->raises - 1].floor : PLF_FLOOR_NONE);
}

#endif
