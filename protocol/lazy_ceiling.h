/* SPDX-License-Identifier: MIT */
#ifndef PLF_LAZY_CEILING_H
#define PLF_LAZY_CEILING_H

/*
 * Lazy immediate ceilings: a thread stores the priority that it should have, and the kernel acts on
 * it only when the thread may lose the CPU.
 *
 * Source: Almatary, Audsley, Burns 2015, Sections III (flat) and V (nested), with changes. The
 * paper's flags are a single word here, the claim. One store withdraws it, so no moment between a
 * flag and its test needs a guard:
 *
 *   new_pri, to_raise   the claim's excess: how far the ceiling lies above the base
 *   not to_raise        `raised`: the kernel has acted
 *   start := true       the store that withdraws the claim; `raised` is read after it
 *   level               in the claim's name
 *   PO.old_pri          `outer`, in the thread's own memory: no other thread uses it
 *
 * The paper's nested form has four faults. proof/lazy shows the shortest trace of the first three,
 * and proof/design of all four:
 *  - new_pri := PO.ceiling must be a maximum. Otherwise an inner section of a lower ceiling removes
 *    the outer section's protection;
 *  - PO.old_pri is written before the PO is held. If a user of the PO preempts right after, the
 *    thread keeps that user's priority for good;
 *  - a nested acquire sets to_raise again after it found it set. If the thread is raised in
 *    between, it is never lowered;
 *  - PO.old_pri is read after level and start say that the PO is left. A user of the PO that
 *    preempts right before has stored its priority there.
 *
 * Words. A free lock is {0, key}. Keys of the same CPU compare like ceilings, and keys of two CPUs
 * are further apart than any two ceilings. A held lock is {name of the section, flags and excess}.
 * A thread's claim is {name, excess} inside a section and `idle` outside. `idle` is chosen so that
 * (free lock) - idle = {name, excess}. So one subtraction makes the claim, and the claim's lower
 * half shows whether the fast path may take the lock.
 *
 * The lock is out of reach if it is held, belongs to another CPU or has a ceiling below the
 * thread's base. It is also out of reach if the thread is already inside a section. The lower half
 * of a valid claim is INSIDE + excess, right below the sign bit. No other difference of two such
 * words lies there.
 *
 * Invariants (T a thread, between any two of its instructions):
 *  I1  while T holds a lock, its claim covers the lock's ceiling, from before it took the lock
 *      until after it gave it back;
 *  I2  whenever another thread runs, the kernel's priority of T is at least T's claim;
 *  I3  outside all sections, and not about to call the kernel, T has its base priority;
 *  I4  only the kernel writes `raised`, and only while T does not run user code. The value is 0, or
 *      1 + the excess that the kernel gave.
 *
 * I1 and I2 imply the ceiling rule: no thread at or below the ceiling runs while T is inside. So
 * every user of a lock finds it free, unless its holder suspended itself. STRICT assumes that no
 * holder does. ROBUST changes the lock by compare-and-swap, so it stays exclusive even then.
 */
#include "word.h"

enum {
	/* index of the claim that a thread of this strength uses */
	PLF_LAZY_STRICT,
	PLF_LAZY_ROBUST,
	PLF_LAZY_STRENGTHS,
	PLF_LAZY_DEPTH = 16, /* sections that a thread can have open at a time */
	PLF_LAZY_SPAN = 128, /* above any excess; the lowest key is above twice that */
};

/* The lower half of a section's claim and of the lock that it holds, less the excess. */
#define PLF_LAZY_INSIDE ((uint64_t)(1U << 31) - PLF_LAZY_SPAN)

/*
 * Bits of PLF_LAZY_INSIDE that a held lock may lack. Without such a bit the lock is out of every
 * thread's reach.
 */
#define PLF_LAZY_UNCONTENDED ((uint64_t)1 << 30) /* clear: a thread waits */
#define PLF_LAZY_OUTERMOST   ((uint64_t)1 << 29) /* clear: an inner section holds the lock */

/*
 * The claim of the strength that a thread does not use. It is above all keys and below these bits.
 */
#define PLF_LAZY_UNUSED ((uint64_t)1 << 20)

/*
 * The kernel reads the first words and trusts nothing in them. The alignment keeps them on one
 * page. It is no larger because thread-local storage of a library that is loaded late has no larger
 * alignment.
 */
struct plf_lazy {
	uint64_t claim[PLF_LAZY_STRENGTHS];
	uint32_t raised; /* written by the kernel only */
	uint32_t reserved;
	uint64_t idle;
	/* the claim before each open section except the outermost */
	uint64_t outer[PLF_LAZY_DEPTH];
} __attribute__((aligned(64)));

enum plf_lazy_outcome {
	PLF_LAZY_DONE,
	PLF_LAZY_SLOW,	 /* not the simple case: nothing was changed */
	PLF_LAZY_TAKEN,	 /* enter: claimed, but another thread has the lock */
	PLF_LAZY_RAISED, /* leave: done, but the kernel must lower the priority */
};

/*
 * `base`: the key of a ceiling equal to T's base priority. `name`: this and the next DEPTH names
 * must be T's alone.
 */
static inline void plf_lazy_prepare(struct plf_lazy *t, uint32_t strength, uint32_t name,
				    uint32_t base)
{
	t->idle = base - PLF_LAZY_INSIDE - ((uint64_t)name << 32);
	t->raised = 0;
	t->claim[PLF_LAZY_STRENGTHS - 1 - strength] = PLF_LAZY_UNUSED;
	t->claim[strength] = t->idle;
}

/* Return whether this is a section's claim, by one signed comparison. */
static inline bool plf_lazy_is_inside(uint64_t claim)
{
	return (int32_t)claim >= (int32_t)PLF_LAZY_INSIDE;
}

/* ---- The thread's half, outermost sections: the fast path -------------- */

static inline __attribute__((warn_unused_result)) enum plf_lazy_outcome
plf_lazy_enter_strict(struct plf_lazy *t, uint64_t *lock)
{
	uint64_t claim = plf_minus64(plf_load64(lock), &t->claim[PLF_LAZY_STRICT]);

	if (!plf_lazy_is_inside(claim))
		return PLF_LAZY_SLOW;
	plf_store64(&t->claim[PLF_LAZY_STRICT], claim);
	plf_store64(lock, claim);
	plf_barrier();
	return PLF_LAZY_DONE;
}

static inline __attribute__((warn_unused_result)) enum plf_lazy_outcome
plf_lazy_enter_robust(struct plf_lazy *t, uint64_t *lock)
{
	uint64_t free = plf_load64(lock);
	uint64_t claim = plf_minus64(free, &t->claim[PLF_LAZY_ROBUST]);

	if (!plf_lazy_is_inside(claim))
		return PLF_LAZY_SLOW;
	plf_store64(&t->claim[PLF_LAZY_ROBUST], claim);
	if (!plf_cas64(lock, free, claim))
		return PLF_LAZY_TAKEN;
	plf_barrier();
	return PLF_LAZY_DONE;
}

/*
 * The lock becomes free before the claim is withdrawn, because until then no other user of the lock
 * can run.
 */
static inline __attribute__((warn_unused_result)) enum plf_lazy_outcome
plf_lazy_leave_strict(struct plf_lazy *t, uint64_t *lock)
{
	uint64_t idle;

	plf_barrier();
	if (!plf_is64(&t->claim[PLF_LAZY_STRICT], plf_load64(lock)))
		return PLF_LAZY_SLOW;
	idle = plf_load64(&t->idle);
	plf_add64(lock, idle);
	plf_store64(&t->claim[PLF_LAZY_STRICT], idle);
	return plf_is32(&t->raised, 0) ? PLF_LAZY_DONE : PLF_LAZY_RAISED;
}

static inline __attribute__((warn_unused_result)) enum plf_lazy_outcome
plf_lazy_leave_robust(struct plf_lazy *t, uint64_t *lock)
{
	uint64_t held = plf_load64(lock);
	uint64_t idle;

	plf_barrier();
	if (!plf_is64(&t->claim[PLF_LAZY_ROBUST], held))
		return PLF_LAZY_SLOW;
	idle = plf_load64(&t->idle);
	if (!plf_cas64(lock, held, held + idle))
		return PLF_LAZY_SLOW; /* a thread began to wait */
	plf_store64(&t->claim[PLF_LAZY_ROBUST], idle);
	return plf_is32(&t->raised, 0) ? PLF_LAZY_DONE : PLF_LAZY_RAISED;
}

/* ---- The thread's half, any depth -------------------------------------- */

/* Return the demand of a claim: 0 for none, or 1 + the excess. */
static inline uint32_t plf_lazy_wanted(uint64_t claim)
{
	return plf_lazy_is_inside(claim) ? (uint32_t)(claim - PLF_LAZY_INSIDE) + 1 : 0;
}

static inline uint32_t plf_lazy_name(const struct plf_lazy *t)
{
	return ~(uint32_t)(t->idle >> 32); /* the lower half of `idle` borrowed 1 */
}

/* Return how many sections T has claimed. */
static inline uint32_t plf_lazy_depth(const struct plf_lazy *t, uint32_t strength)
{
	uint64_t claim = plf_load64(&t->claim[strength]);

	return plf_lazy_wanted(claim) == 0 ? 0 : (uint32_t)(claim >> 32) - plf_lazy_name(t) + 1;
}

/*
 * Claim another section with this key, which must be in T's reach and within the depth. The claim
 * keeps the highest ceiling of all open sections.
 */
static inline void plf_lazy_claim(struct plf_lazy *t, uint32_t strength, uint32_t key)
{
	uint32_t depth = plf_lazy_depth(t, strength);
	uint64_t outer = plf_load64(&t->claim[strength]);
	uint32_t excess = key - (uint32_t)t->idle;

	if (depth > 0 && (uint32_t)outer > excess)
		excess = (uint32_t)outer;
	t->outer[depth] = outer;
	plf_store64(&t->claim[strength], (uint64_t)(plf_lazy_name(t) + depth) << 32 | excess);
}

/* Take the lock for the section claimed last. False: the lock is not free. */
static inline __attribute__((warn_unused_result)) bool
plf_lazy_take(struct plf_lazy *t, uint32_t strength, uint64_t *lock, uint32_t key)
{
	uint64_t claim = plf_load64(&t->claim[strength]);
	bool taken = plf_cas64(
		lock, key, plf_lazy_depth(t, strength) == 1 ? claim : claim - PLF_LAZY_OUTERMOST);

	plf_barrier();
	return taken;
}

/* Give back the lock of the section claimed last. True: a thread waits for it. */
static inline __attribute__((warn_unused_result)) bool plf_lazy_give(uint64_t *lock, uint32_t key)
{
	uint64_t held;

	plf_barrier();
	do
		held = plf_load64(lock);
	while (!plf_cas64(lock, held, key));
	return (held & PLF_LAZY_UNCONTENDED) == 0;
}

/* Withdraw the claim of the section claimed last. Its lock must not be held. */
static inline __attribute__((warn_unused_result)) enum plf_lazy_outcome
plf_lazy_withdraw(struct plf_lazy *t, uint32_t strength)
{
	uint32_t depth = plf_lazy_depth(t, strength);
	uint64_t outer = depth == 1 ? t->idle : t->outer[depth - 1];

	plf_store64(&t->claim[strength], outer);
	return plf_load32(&t->raised) > plf_lazy_wanted(outer) ? PLF_LAZY_RAISED : PLF_LAZY_DONE;
}

/* ---- The kernel's half ------------------------------------------------- */

/*
 * Return the excess above its base that T should have, plus 1, or 0 for none. The kernel calls this
 * when T may lose the CPU and when T asks to be lowered. T's words may hold any value. The result
 * is at most SPAN, and the caller must limit it to the priorities that T may have.
 */
static inline uint32_t plf_lazy_decide(const struct plf_lazy *t)
{
	uint32_t strict = plf_lazy_wanted(plf_load64(&t->claim[PLF_LAZY_STRICT]));
	uint32_t robust = plf_lazy_wanted(plf_load64(&t->claim[PLF_LAZY_ROBUST]));

	return strict > robust ? strict : robust;
}

/* Report to T the priority that it was given, in the form of plf_lazy_decide(). */
static inline void plf_lazy_report(struct plf_lazy *t, uint32_t given)
{
	plf_store32(&t->raised, given);
}

#endif
