/* SPDX-License-Identifier: MIT */
#ifndef PLF_LAZY_GLOBAL_H
#define PLF_LAZY_GLOBAL_H

/*
 * Sections that several servers share, on a single processor. A server that enters says so by a
 * store. The kernel reads that only when another server would get the processor, or when the budget
 * ends.
 *
 * Source: van den Heuvel, Bril, Lukkien, Behnam, OSPERT 2010, 8, Sections VI to VIII: HSRP
 * (overrun) and SIRAP (skipping), two levels of the stack resource policy; and Asberg, Behnam,
 * Nolte, Bril, OSPERT 2010, 5. Both papers call the kernel for each lock and unlock, and count the
 * locks of a server.
 *
 * This file is the outer level. The inner level keeps out the tasks of the same server. It is
 * another file's lock, which a task must enter before and leave after. The words belong to the
 * running task T, whose server is S:
 *
 *  claim    the highest ceiling of T's open sections among servers; 0: T is in no such section. T
 *           writes it
 *  row      0: S may overrun. Otherwise S's skipping row, which selects the inner-level ceilings.
 *           Only the kernel writes it
 *  last_ns  under skipping: the end of S's budget less X, the longest section. T may enter before
 *           that instant. UINT64_MAX: T may enter at any time, because S holds something already.
 *           Only the kernel writes it
 *  late     a ceiling: T must call the kernel when its claim falls below it; 0: never. It is the
 *           level of the server that is kept out, or 1 for an overrun. Only the kernel writes it
 *
 * A counter of locks is not needed. T keeps the value that `claim` had before each section in
 * memory that no other task writes while T is inside. The outermost section has 0.
 *
 * Invariants (between any two of T's instructions):
 *  I1  from before T is inside a section until after it left, claim is at least the section's
 *      ceiling. So the kernel keeps out each server that uses T's resource;
 *  I2  if the claim keeps out a server, `late` is at least that server's level from then on. After
 *      an overrun, `late` is at least 1. T leaves by a store and then a load. Before the store the
 *      kernel finds the claim, and `late` shows it. After the store the kernel decides for itself;
 *  I3  under skipping, T is inside only if more than X of the budget was left after T entered the
 *      inner level, while T ran. So a single budget pays for a whole section. Otherwise the kernel
 *      lets T wait, and checks again whenever T would run in a later period. The paper calls its
 *      second test "superfluous". That holds if T runs at once when the budget comes.
 *
 * I3 needs the order of the test: last_ns, then the clock. In between, only the end of the budget
 * or the time can become later. So the test may fail in vain, and the kernel, called then, finds
 * more budget left. In the other order, a clock from before a switch of servers is compared with an
 * end from after it. That would grant time that was used up meanwhile.
 */
#include "word.h"

struct plf_lazy_global {
	uint64_t last_ns;
	union {
		struct {
			uint32_t claim;
			uint32_t row;
		};
		uint64_t claim_and_row; /* for a single load */
	};
	uint32_t late;
};

/* ---- The task's half --------------------------------------------------- */

/*
 * Before a section: load the claim and the row together. 0: an outermost section that may overrun.
 */
static inline uint64_t plf_lazy_global_look(const struct plf_lazy_global *words)
{
	return plf_load64(&words->claim_and_row);
}

static inline uint32_t plf_lazy_global_claim_of(uint64_t found)
{
	return (uint32_t)found;
}

static inline uint32_t plf_lazy_global_row_of(uint64_t found)
{
	return (uint32_t)(found >> 32);
}

/*
 * Before an outermost section: return whether it surely ends within the budget. False: the task
 * must call the kernel, which returns when the budget suffices. `now_ns` reads the clock of
 * last_ns.
 */
static inline __attribute__((warn_unused_result)) bool
plf_lazy_global_suffices(const struct plf_lazy_global *words, uint64_t (*now_ns)(void))
{
	uint64_t last_ns = plf_load64(&words->last_ns);

	return now_ns() < last_ns;
}

/* Enter a section. `before`: the claim until now, which the leave needs. */
static inline void plf_lazy_global_enter(struct plf_lazy_global *words, uint32_t before,
					 uint32_t ceiling)
{
	plf_store32(&words->claim, before > ceiling ? before : ceiling);
	plf_barrier();
}

/* Leave it. True: the task must call the kernel after it has left the inner level. */
static inline __attribute__((warn_unused_result)) bool
plf_lazy_global_leave(struct plf_lazy_global *words, uint32_t before)
{
	plf_barrier();
	plf_store32(&words->claim, before);
	return plf_load32(&words->late) > before;
}

/* ---- The kernel's half ------------------------------------------------- */

/*
 * Return T's claim, bounded. The word may hold any value. `lowest`: S's level, because no resource
 * of T has a lower ceiling. `highest`: the highest of these ceilings, 0: T uses no such resource.
 */
static inline uint32_t plf_lazy_global_bound(const struct plf_lazy_global *words, uint32_t lowest,
					     uint32_t highest)
{
	uint32_t wanted = plf_load32(&words->claim);

	if (wanted == 0 || highest == 0)
		return 0;
	if (wanted > highest)
		return highest;
	return wanted < lowest ? lowest : wanted;
}

/*
 * Publish the words that the leave reads. `late` is the kernel's demand. `held` is the highest
 * claim of the tasks that T preempted.
 */
static inline void plf_lazy_global_publish(struct plf_lazy_global *words, uint64_t last_ns,
					   uint32_t late, uint32_t held)
{
	plf_store64(&words->last_ns, last_ns);
	plf_store32(&words->late, late > held ? late : 0);
}

/* Return whether a server of that level must wait for the server that claims. */
static inline bool plf_lazy_global_keeps_out(uint32_t claim, uint32_t level)
{
	return claim >= level;
}

/* ---- Budgets --------------------------------------------------------------- */

/*
 * Return the budget that a section needs: X and 1 ns more. So a section that takes all of X ends
 * within the budget, even if it unlocks in the last instant of X.
 */
static inline uint64_t plf_lazy_global_most(uint64_t hold_ns)
{
	return hold_ns + 1;
}

/* Return whether `left_ns` is enough for an outermost section that begins now. */
static inline bool plf_lazy_global_is_enough(uint64_t left_ns, uint64_t hold_ns)
{
	return left_ns > hold_ns;
}

/* Return last_ns for a budget that ends at `end_ns`; 0: no instant is early enough. */
static inline uint64_t plf_lazy_global_last_ns(uint64_t end_ns, uint64_t hold_ns)
{
	return end_ns > hold_ns ? end_ns - hold_ns : 0;
}

/* Return how much of an overrun of `most_ns` was used if `left_ns` is left. */
static inline uint64_t plf_lazy_global_used(uint64_t left_ns, uint64_t most_ns)
{
	return most_ns - left_ns;
}

#endif
