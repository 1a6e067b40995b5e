/* SPDX-License-Identifier: MIT */
#ifndef PLF_LAZY_GLOBAL_H
#define PLF_LAZY_GLOBAL_H

/*
 * Sections that several servers share, on one processor: a server that enters says so by a store,
 * and the kernel reads that only where another server would get the processor, or the budget ends.
 *
 * Source: van den Heuvel, Bril, Lukkien, Behnam, OSPERT 2010, 8, Sections VI to VIII: HSRP
 * (overrun) and SIRAP (skipping), two levels of the stack resource policy; and Asberg, Behnam,
 * Nolte, Bril, OSPERT 2010, 5. Both call the kernel for each lock and unlock, and count the locks
 * of a server. Here the lock of the inner level, which keeps out the tasks of the same server, is
 * that of another file, and is entered before and left after; this is the outer one. The words are
 * those of the running task T, whose server is S:
 *
 *   claim    the highest ceiling of T's open sections among servers, 0: it is in none; T's
 *   row      0: S may overrun; else its skipping, and which ceilings of the inner level it has; the
 *            kernel's
 *   last_ns  under skipping the end of S's budget, less the longest section X: T may enter before
 *            that instant; the kernel's. UINT64_MAX: at any time, for S holds something already
 *   late     a ceiling: the kernel has to be called when T's claim falls below it, 0: it need not;
 *            the kernel's. Of a server that is kept out it is the level; of an overrun it is 1
 *
 * A counter of locks is not needed: T keeps the value that `claim` had before each section, where
 * no other task writes while T is inside; the outermost one has 0.
 *
 * Invariants (between any two of T's instructions):
 *  I1  from before T is inside a section until after it left, claim is at least its ceiling. So
 *      does the kernel keep out each server that uses what T holds;
 *  I2  a server that the claim keeps out has its level in `late` from then on, and an overrun has
 *      1 there at least. T leaves by a store, and then a load: before the store the kernel finds
 *      the claim, and `late` shows it; after it the kernel decides for itself;
 *  I3  under skipping T is inside only if more than X was left of the budget after it had entered
 *      the inner level, or if the kernel has had it wait for the next budget: so all of a section
 *      is paid out of one budget.
 *
 * I3 needs the order of the test: the instant, then the clock. What comes in between can only make
 * the end of the budget later, or the time: so the test may fail in vain, and the kernel, which it
 * calls then, finds more left. The other way round a clock from before a switch of servers is
 * compared with an end from after it, and grants what was used up meanwhile.
 */
#include "word.h"

struct plf_lazy_global {
	uint64_t last_ns;
	union {
		struct {
			uint32_t claim;
			uint32_t row;
		};
		uint64_t claim_and_row; /* for one load */
	};
	uint32_t late;
};

/* ---- The task's half --------------------------------------------------- */

/* Before a section: the claim and the row, by one load. 0: an outermost one that may overrun. */
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
 * Before an outermost section: whether it surely ends within the budget. False: the kernel must be
 * called, which returns when it does. `now_ns` reads the clock of last_ns.
 */
static inline __attribute__((warn_unused_result)) bool
plf_lazy_global_suffices(const struct plf_lazy_global *words, uint64_t (*now_ns)(void))
{
	uint64_t last_ns = plf_load64(&words->last_ns);

	return now_ns() < last_ns;
}

/* Into a section; `before`: the claim until now, which the leave needs. */
static inline void plf_lazy_global_enter(struct plf_lazy_global *words, uint32_t before,
					 uint32_t ceiling)
{
	plf_store32(&words->claim, before > ceiling ? before : ceiling);
	plf_barrier();
}

/* Out of it. True: the kernel must be called, behind the leave of the inner level. */
static inline __attribute__((warn_unused_result)) bool
plf_lazy_global_leave(struct plf_lazy_global *words, uint32_t before)
{
	plf_barrier();
	plf_store32(&words->claim, before);
	return plf_load32(&words->late) > before;
}

/* ---- The kernel's half ------------------------------------------------- */

/*
 * T's claim. Any value may be found. `lowest`: S's own level, which the ceilings of all that T uses
 * are not below; `highest` the highest of these, 0: it uses nothing of the kind.
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
 * What the leave has to see: `late` is the kernel's, and `held` what S claims all the same, for
 * tasks that T preempted.
 */
static inline void plf_lazy_global_publish(struct plf_lazy_global *words, uint64_t last_ns,
					   uint32_t late, uint32_t held)
{
	plf_store64(&words->last_ns, last_ns);
	plf_store32(&words->late, late > held ? late : 0);
}

/* Whether a server of that level has to wait for the one that claims. */
static inline bool plf_lazy_global_keeps_out(uint32_t claim, uint32_t level)
{
	return claim >= level;
}

/* ---- Budgets --------------------------------------------------------------- */

/*
 * What is left for a section is X and one: so one that takes all of X ends before, an unlock in the
 * very instant in which X is used up among them.
 */
static inline uint64_t plf_lazy_global_most(uint64_t hold_ns)
{
	return hold_ns + 1;
}

/* An outermost section begins with so much left: whether that is enough for it. */
static inline bool plf_lazy_global_is_enough(uint64_t left_ns, uint64_t hold_ns)
{
	return left_ns > hold_ns;
}

/* The instant before which it is; 0: none. */
static inline uint64_t plf_lazy_global_last_ns(uint64_t end_ns, uint64_t hold_ns)
{
	return end_ns > hold_ns ? end_ns - hold_ns : 0;
}

/* What of an overrun was used, of which so much is left. */
static inline uint64_t plf_lazy_global_used(uint64_t left_ns, uint64_t most_ns)
{
	return most_ns - left_ns;
}

#endif
