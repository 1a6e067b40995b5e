/* SPDX-License-Identifier: MIT */
#ifndef PLF_LAZY_FLOOR_H
#define PLF_LAZY_FLOOR_H

/*
 * The lazy deadline floor for EDF, flat and nested. A task stores the relative deadline that its
 * open sections require. The kernel shortens the task's absolute deadline, and reads the clock,
 * only when the task may lose the processor.
 *
 * Source: Almatary, Audsley, Burns 2015, Section IV (flat). The paper leaves the nested form to the
 * reader; here it is Section V's, repaired as in lazy_claim.h. The words belong to the running task
 * T of a processor. Floors are in nanoseconds:
 *
 *  claim    the least floor of T's open sections; NONE: T is in no section. It replaces the paper's
 *           new_rel_deadline, to_raise and start. The kernel writes it only if it is out of bounds
 *  raised   the claim that the kernel acted on last; NONE: none. Only the kernel writes it
 *
 * Theorem 1 has two gaps, which are closed here:
 *  - It assumes that the clock is read at the instant from which the new task's deadline counts.
 *    But deadlines count from arrivals, and the clock is read later. So a task whose relative
 *    deadline is the floor would preempt the holder by the difference. Here floors count from
 *    `instant`, which is not after any arrival that the kernel has not handled yet, and the holder
 *    wins ties.
 *  - It assumes that each task that becomes ready has just arrived. A task that wakes up with the
 *    deadline of an earlier arrival can preempt the holder of a resource that it uses. So a task
 *    that wakes up gets a new deadline, as an arrival does (plf_floor_begin()).
 *
 * Nesting has another gap. Suppose T is raised in an inner section and leaves it, and its deadline
 * for the outer section counted from then. A user of the outer section that arrived in between
 * would have an earlier deadline. So the kernel keeps the instants of its raises, and counts from
 * the first raise inside the outer section. If it counted from an earlier raise, T would keep out
 * tasks that two calls per section would not keep out.
 *
 * Invariants (between any two of T's instructions; R any task that is ready):
 *  I1  from before T is inside a section until after it left, claim is at most the section's floor;
 *  I2  no R is earlier than T's deadline, unless T is about to call the kernel;
 *  I3  from a raise to the next, the floor falls and `since` does not. The deadline below a raise
 *      is that of the raise before, or T's own. Every R earlier than that deadline arrived at the
 *      raise's `since` or after.
 *
 * A user of T's section has a relative deadline of at least the section's floor. By I3 it is not
 * earlier than since + floor of the first raise inside the section. T has this deadline or an
 * earlier one until it has left, so the user does not run. If there was no raise, I2 says the same
 * of the deadline that T had before it entered.
 */
#include "word.h"

#define PLF_FLOOR_NONE UINT64_MAX
/* the most for floors and relative deadlines: 146 years in ns */
#define PLF_FLOOR_MOST (UINT64_MAX / 4)

/*
 * Raises that the kernel remembers. With up to RAISES + 1 sections nested with falling floors, T is
 * never more urgent than with two calls per section. With more sections T may be more urgent, but
 * the sections still exclude each other.
 */
enum { PLF_FLOOR_RAISES = 2 };

struct plf_raise {
	uint64_t since; /* the instant from which the floor counts */
	uint64_t floor;
};

/* The kernel's part of a task. Deadlines are instants. */
struct plf_floor {
	uint64_t own;	   /* the deadline of its activation, or since it woke up */
	uint64_t deadline; /* the deadline in force: `own` or an earlier one */
	struct plf_raise raise[PLF_FLOOR_RAISES];
	uint32_t raises; /* raises in force */
};

/*
 * Return whether a deadline is earlier than another. Instants are nanoseconds modulo 2^64, and must
 * be less than 2^63 apart. FLOOR_MOST ensures that while no deadline of an unfinished task is 146
 * years old.
 */
static inline __attribute__((warn_unused_result)) bool plf_is_earlier(uint64_t deadline,
								      uint64_t than)
{
	return (int64_t)(deadline - than) < 0;
}

/* ---- The task's half --------------------------------------------------- */

/* Enter a section. Returns the claim before it, which the leave needs. */
static inline __attribute__((warn_unused_result)) uint64_t plf_floor_enter(uint64_t *claim,
									   uint64_t floor)
{
	uint64_t before = plf_load64(claim);

	plf_store64(claim, before < floor ? before : floor);
	plf_barrier();
	return before;
}

/* Leave it. True: the task must call the kernel, because T's deadline may be later now. */
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

/* Return T's deadline by its last raise, or its own deadline. */
static inline __attribute__((warn_unused_result)) uint64_t
plf_floor_below(const struct plf_floor *t)
{
	const struct plf_raise *last;

	if (t->raises == 0)
		return t->own;
	last = &t->raise[t->raises - 1];
	return last->since + last->floor;
}

/*
 * Return T's claim, NONE or up to MOST. The word may hold any value; a bounded value is also
 * written back.
 */
static inline __attribute__((warn_unused_result)) uint64_t plf_floor_bound(uint64_t *claim,
									   uint64_t least)
{
	uint64_t floor = plf_load64(claim);

	if (floor < least)
		plf_store64(claim, floor = least);
	return floor > PLF_FLOOR_MOST ? PLF_FLOOR_NONE : floor;
}

/*
 * A task earlier than T's deadline is ready. Return T's deadline from now on. If the ready task is
 * still earlier, it preempts T. `instant`: see above; it must never go back. `least`: the least
 * floor of T's resources.
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
 * T called to give up the floors that it no longer claims. Its remaining claim counts from the
 * first of the raises that end.
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
