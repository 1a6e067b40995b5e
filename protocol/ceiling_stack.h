/* SPDX-License-Identifier: MIT */
#ifndef PLF_CEILING_STACK_H
#define PLF_CEILING_STACK_H

/*
 * The user-space ceiling stack: the immediate priority ceiling protocol on a
 * stock kernel, without a system call where no other thread is in the way.
 *
 * Source: ours. The ceiling rule is that of the original priority ceiling
 * protocol (Sha, Rajkumar, Lehoczky 1990) and of SRP (Baker 1991); the kernel's
 * part is played by the PI futex (FUTEX_LOCK_PI, FUTEX_UNLOCK_PI).
 *
 * All threads of one CPU share the word `top`. It names the newest frame of the
 * stack of open sections and the highest ceiling in it. A thread that wakes up, or
 * wants to enter, looks at it: if that ceiling is at or above its own base
 * priority, a thread was preempted inside a section that must end first. The newcomer
 * then sleeps on that frame's gate, which makes the kernel lend the holder its
 * priority. Otherwise no frame covers it, and it may push one of its own.
 *
 * Invariants (T, U threads; base priorities never change while attached):
 *  I1  the stack is a chain of frames linked by `prev`; ceilings do not fall
 *      from bottom to top (a frame's word carries the maximum up to it);
 *  I2  a frame of T lies above a frame of U only if T's base priority is above
 *      U's ceiling: T was not covered when it pushed its outermost frame. A thread
 *      that was granted a mutex across CPUs counts with its global rank for that
 *      frame, and opens no section of a ceiling above it;
 *  I3  so a lock has at most one frame: its ceiling covers all its users. A
 *      lock that names a holder although no frame covers its next user was left
 *      by a thread that died inside;
 *  I4  the frames of one thread are contiguous;
 *  I5  a gate is open (0) unless a thread sleeps on it, is about to, or gave up. The waiter
 *      shuts it, in its owner's name, and then looks again whether the frame still
 *      covers it; the owner unpublishes the frame and then looks at the gate. So
 *      either the waiter sees the frame gone, or the owner sees the gate shut;
 *  I6  a thread that sleeps on a frame's second gate owns the first one, so there is one
 *      such sleeper, and it finds the second gate open or in the owner's name.
 *
 * Where frames are removed in any order (see there), these besides:
 *  I7  a frame goes by one store of its own `prev` into the word that names it, which is `top`
 *      or the `prev` of the frame above. Only its owner does that, or, to a dead one's on top,
 *      any thread of this CPU. So what lies above and below it stays as it is;
 *  I8  `prev` of a frame is written together with the `top` that publishes it. Else the owner of a
 *      frame below could write it in between, on its way from the frame's last life.
 *
 * Two strengths. ROBUST changes `top` by compare-and-swap: mutual exclusion holds
 * whatever suspends a holder. STRICT uses plain loads and stores: correct while
 * no thread of the CPU is suspended between enter and leave and no foreign PI mutex
 * lends priority, because then `top` is as it was whenever a preempted thread goes
 * on. A CPU has one strength at a time. How a step writes is its writer's: see there.
 */
#include "word.h"

#include <stddef.h>

enum {
	PLF_DEPTH_MAX = 16, /* sections one thread can have open at a time */
	PLF_FRAMES = PLF_DEPTH_MAX + 1,
	PLF_PRIORITY_MAX = 99,
	PLF_RANK_GLOBAL = 1 << 7,   /* above all priorities: see plf_global_rank() */
	PLF_RANK_PRIORITY_BITS = 9, /* of a rank, those that hold the priority */
	PLF_RANK_SPAN = 1 << (PLF_RANK_PRIORITY_BITS - 1), /* above any difference of priorities */
	PLF_REF_PLACE_BITS = 15,     /* of a reference, those that hold the place */
	PLF_TID_MASK = 0x3fffffff,   /* of a gate: the rest are the kernel's flags, */
	PLF_OWNER_DIED = 0x40000000, /* this among them */
};

enum plf_strength {
	PLF_STRENGTH_ROBUST,
	PLF_STRENGTH_STRICT,
	PLF_STRENGTHS,
};

/*
 * A rank is a priority tagged with the CPU on which it counts. Ranks of one CPU
 * compare like their priorities; ranks of two CPUs are further apart than any
 * two priorities, so one subtraction shows both "not my CPU" and "ceiling below
 * my priority".
 */
static inline uint32_t plf_rank(uint32_t cpu, uint32_t priority)
{
	return (cpu + 1) << PLF_RANK_PRIORITY_BITS | priority;
}

/*
 * The rank of a section across CPUs (global_word.h), by its holder's base priority: above all
 * ceilings of the CPU, and in the order of the base priorities.
 */
static inline uint32_t plf_global_rank(uint32_t cpu, uint32_t priority)
{
	return plf_rank(cpu, PLF_RANK_GLOBAL + priority);
}

/*
 * Three kinds of 64-bit word, all {frame reference, rank}, because what is true
 * of a frame and its ceiling must be seen in one load:
 *  top   the newest frame, the highest ceiling up to it; 0: the stack is empty
 *  prev  in a frame: what `top` was before it
 *  lock  the holder's frame (0: free), the lock's own ceiling (0: the fast path
 *        is refused, the slow path decides). Or the place behind the holder's frames, where
 *        none is: then the way out is the slow path's, too
 * They hold no pointers. A reference is the frame's place in the arena, in
 * frames, below a generation that is new when a dead thread's place is used again.
 */
static inline uint64_t plf_word(uint32_t ref, uint32_t rank)
{
	return (uint64_t)ref << 32 | rank;
}

static inline uint32_t plf_word_ref(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

static inline uint32_t plf_word_rank(uint64_t word)
{
	return (uint32_t)word;
}

/*
 * A PI futex, with the owner's entry for the robust list: the kernel and the C
 * library want futex and entry at one distance from each other.
 */
struct plf_gate {
	uint32_t word; /* 0, or a TID with the kernel's two flag bits */
	uint32_t reserved[5];
	void *link[2]; /* private to the owner and the kernel */
};

/*
 * One open section. Frames are type-stable: a late waiter may still look at one
 * that was popped. One gate a frame, not one a thread: else a waiter would wait
 * for the holder's outermost section although only an inner one covers it.
 *
 * The second gate is for a thread that passed the first and is covered all the same:
 * waiters of the frame's last life have the first one then (a holder that was
 * suspended inside let less urgent ones queue there). Only the owner of the first
 * gate may use the second, so that one is always free of them.
 */
struct plf_frame {
	struct plf_gate gate;
	struct plf_gate second;
	uint32_t ref;
	uint32_t level; /* constant: index in its thread */
	uint64_t prev;
	uint32_t rank; /* of its lock: its owner's, where frames are removed in any order */
} __attribute__((aligned(128)));

/*
 * Frame 0 is only ever the bottom of the stack: its `prev` is 0 for good, and the
 * fast path uses no other. Sections pushed on a stack that is not empty use the
 * frames from 1 on.
 *
 * All gates, and `life`, hang in the owner's robust list: when it ends without
 * detaching, the kernel writes PLF_OWNER_DIED in place of its TID before that TID can be
 * another's. A gate shut before that is found so; for one shut after, there is life.
 */
struct plf_thread {
	uint64_t *top;			   /* the CPU's word */
	uint64_t word;			   /* {frame 0, base rank} */
	uint64_t fast_rank[PLF_STRENGTHS]; /* base rank; out of reach at the other strength */
	uint32_t fast_ref[PLF_STRENGTHS];  /* frame 0; no thread's at the other strength */
	uint32_t ref;			   /* of frame 0 */
	uint32_t tid;			   /* 0 in a place without a thread */
	uint32_t rank;			   /* base rank: never the boosted one */
	uint32_t nested;		   /* frames held, frame 0 not counted */
	const uint32_t *cpu_now;	   /* where the kernel says on which CPU the owner is */
	uint32_t cpu;			   /* on which it must be */
	uint32_t strength;
	struct plf_gate life; /* the owner's TID */
	struct plf_frame frame[PLF_FRAMES];
};

/* What an enter or leave found. Anything but DONE is the slow path's work. */
enum plf_outcome {
	PLF_DONE,
	PLF_SLOW,    /* not the simple case: nothing was changed */
	PLF_NESTED,  /* enter: the same, and plf_enter_nested() may go on */
	PLF_RECHECK, /* enter: pushed, but the lock changed meanwhile */
	PLF_HANDOFF, /* leave: the section is over, but a thread sleeps on the gate */
};

static inline bool plf_is_own(const struct plf_thread *t, uint64_t word)
{
	return plf_word_ref(word) - t->ref < PLF_FRAMES;
}

/* The ceiling rule: an open section of another thread must end before T may go on. */
static inline bool plf_is_covered(const struct plf_thread *t, uint64_t word)
{
	return plf_word_rank(word) >= t->rank && !plf_is_own(t, word);
}

/* So many frames after T's frame 0: perhaps another thread's. */
static inline struct plf_frame *plf_frame_at(const struct plf_thread *t, int64_t distance)
{
	return (struct plf_frame *)((uintptr_t)t->frame +
				    (uintptr_t)(distance * (int64_t)sizeof(struct plf_frame)));
}

static inline struct plf_frame *plf_frame_of(const struct plf_thread *t, uint64_t word)
{
	uint32_t mask = (1U << PLF_REF_PLACE_BITS) - 1;

	return plf_frame_at(t, (int64_t)(plf_word_ref(word) & mask) - (t->ref & mask));
}

static inline struct plf_thread *plf_owner_of(const struct plf_frame *f)
{
	uintptr_t frame0 = (uintptr_t)f - f->level * sizeof(*f);

	return (struct plf_thread *)(frame0 - offsetof(struct plf_thread, frame));
}

static inline bool plf_is_dead(const struct plf_thread *owner)
{
	return (plf_load32(&owner->life.word) & PLF_OWNER_DIED) != 0;
}

/* Is T, which asks, on the CPU of its stack? It may have been moved after the answer. */
static inline bool plf_is_at_home(const struct plf_thread *t)
{
	return plf_load32(t->cpu_now) == t->cpu;
}

/* ---- Writers ------------------------------------------------------------ */

enum plf_written {
	PLF_WRITTEN,
	PLF_STALE, /* not as expected, or T was preempted: nothing that shows was written, look
		      again */
	PLF_MOVED, /* nor is T on the CPU of its stack any more */
};

/*
 * How T writes a word of its stack: `top`, or the `prev` of a frame. EXPECTED is what T saw there.
 * Steps get their writer as a constant, so that the compiler leaves nothing of it but its
 * instructions.
 */
struct plf_writer {
	/* DESIRED, where EXPECTED still is. */
	enum plf_written (*swap)(const struct plf_thread *t, uint64_t *word, uint64_t expected,
				 uint64_t desired);
	/* What FROM holds at that moment. */
	enum plf_written (*move)(const struct plf_thread *t, uint64_t *word, uint64_t expected,
				 const uint64_t *from);
	/* DESIRED, and EXPECTED to *PREV, which is no word of the stack before (I8). */
	enum plf_written (*push)(const struct plf_thread *t, uint64_t *word, uint64_t expected,
				 uint64_t desired, uint64_t *prev);
};

/*
 * Compare-and-swap: of a pinned thread, where frames are removed from the top alone. So no other
 * thread writes the `prev` of a frame that T pushes, or that T finds on top.
 */
static inline enum plf_written plf_swap_by_cas(const struct plf_thread *t, uint64_t *word,
					       uint64_t expected, uint64_t desired)
{
	(void)t;
	return plf_cas64(word, expected, desired) ? PLF_WRITTEN : PLF_STALE;
}

static inline enum plf_written plf_move_by_cas(const struct plf_thread *t, uint64_t *word,
					       uint64_t expected, const uint64_t *from)
{
	return plf_swap_by_cas(t, word, expected, plf_load64(from));
}

static inline enum plf_written plf_push_by_cas(const struct plf_thread *t, uint64_t *word,
					       uint64_t expected, uint64_t desired, uint64_t *prev)
{
	plf_store64(prev, expected);
	return plf_swap_by_cas(t, word, expected, desired);
}

static const struct plf_writer plf_by_cas = { plf_swap_by_cas, plf_move_by_cas, plf_push_by_cas };

/* Plain stores: of a strict thread, which finds EXPECTED whenever it goes on. */
static inline enum plf_written plf_swap_by_store(const struct plf_thread *t, uint64_t *word,
						 uint64_t expected, uint64_t desired)
{
	(void)t;
	(void)expected;
	plf_store64(word, desired);
	return PLF_WRITTEN;
}

static inline enum plf_written plf_move_by_store(const struct plf_thread *t, uint64_t *word,
						 uint64_t expected, const uint64_t *from)
{
	return plf_swap_by_store(t, word, expected, plf_load64(from));
}

static inline enum plf_written plf_push_by_store(const struct plf_thread *t, uint64_t *word,
						 uint64_t expected, uint64_t desired,
						 uint64_t *prev)
{
	plf_store64(prev, expected);
	return plf_swap_by_store(t, word, expected, desired);
}

static const struct plf_writer plf_by_store = { plf_swap_by_store, plf_move_by_store,
						plf_push_by_store };

/* ---- Waiting ------------------------------------------------------------ */

/*
 * The frame to wait on: the outermost one that covers T. Waiting on an inner one
 * would let T go on as soon as the inner section ends. Frames of the dead are
 * passed over; NULL if there is no other. Ends, because every `prev` names a
 * frame that was pushed earlier (I1), also when read from a popped frame.
 */
static inline struct plf_frame *plf_blocker(const struct plf_thread *t, uint64_t word)
{
	struct plf_frame *blocker = NULL;

	while (plf_is_covered(t, word)) {
		struct plf_frame *f = plf_frame_of(t, word);

		if (!plf_is_dead(plf_owner_of(f)))
			blocker = f;
		word = plf_load64(&f->prev);
	}
	return blocker;
}

/*
 * Shut one of F's gates in its owner's name. True: F still covers T, which may now
 * sleep on the gate. The caller makes sure that the owner's place is not given to
 * another thread meanwhile: the TID found there must be the one that pushed F.
 */
static inline __attribute__((warn_unused_result)) bool
plf_shut_gate(const struct plf_thread *t, struct plf_frame *f, struct plf_gate *gate)
{
	uint32_t tid = plf_load32(&plf_owner_of(f)->tid);

	plf_cas32(&gate->word, 0, tid);
	if (plf_blocker(t, plf_load64(t->top)) == f)
		return true;
	plf_cas32(&gate->word, tid, 0);
	return false;
}

/* ---- The fast paths ----------------------------------------------------- */

/*
 * Enter when the stack is empty. The lock is looked at again once
 * the frame is published, for its last holder may have died, or its ceiling been
 * changed, since; from then on no other user of it can run. The compiler learns which
 * way is the usual one: it would not guess that of a writer's. NESTED: the lock was *FREE, which is
 * its rank.
 */
static inline __attribute__((always_inline, warn_unused_result)) enum plf_outcome
plf_enter_first(struct plf_thread *t, uint64_t *lock, enum plf_strength strength,
		const struct plf_writer *writer, uint64_t *free)
{
	uint64_t *top = t->top;
	uint64_t word = plf_load64(lock) - t->fast_rank[strength];

	if (__builtin_expect(word >= PLF_RANK_SPAN, 0))
		return PLF_SLOW;
	word += t->word;
	*free = plf_word_rank(word);
	if (__builtin_expect(!plf_is64(top, 0), 0))
		return PLF_NESTED;
	if (__builtin_expect(writer->swap(t, top, 0, word) != PLF_WRITTEN, 0))
		return PLF_SLOW;
	if (!plf_is64(lock, plf_word_rank(word)))
		return PLF_RECHECK;
	plf_store64(lock, word);
	plf_barrier();
	return PLF_DONE;
}

static inline __attribute__((warn_unused_result)) enum plf_outcome
plf_enter_strict(struct plf_thread *t, uint64_t *lock, uint64_t *free)
{
	return plf_enter_first(t, lock, PLF_STRENGTH_STRICT, &plf_by_store, free);
}

static inline __attribute__((warn_unused_result)) enum plf_outcome
plf_enter_robust(struct plf_thread *t, uint64_t *lock, uint64_t *free)
{
	return plf_enter_first(t, lock, PLF_STRENGTH_ROBUST, &plf_by_cas, free);
}

/*
 * The way out: the lock is held by frame 0, and frame 0 is on top. The lock
 * is free before its frame goes: from then on others may take it. It is written
 * whole, so that the next load of it need not wait for two stores to merge. A sleeper
 * on the second gate keeps the first one shut: it alone is looked at.
 */
static inline __attribute__((warn_unused_result)) enum plf_outcome
plf_leave_strict(struct plf_thread *t, uint64_t *lock)
{
	uint64_t *top = t->top;
	uint32_t ref = t->fast_ref[PLF_STRENGTH_STRICT];

	plf_barrier();
	if (!plf_is_high32(lock, ref) || !plf_is_high32(top, ref))
		return PLF_SLOW;
	plf_store64(lock, plf_load_half(plf_low32(lock)));
	plf_store64(top, 0);
	return plf_is32(&t->frame[0].gate.word, 0) ? PLF_DONE : PLF_HANDOFF;
}

static inline __attribute__((warn_unused_result)) enum plf_outcome
plf_leave_robust(struct plf_thread *t, uint64_t *lock)
{
	uint32_t ref = t->fast_ref[PLF_STRENGTH_ROBUST];
	uint64_t word;
	uint32_t rank;

	plf_barrier();
	if (!plf_is_high32(lock, ref))
		return PLF_SLOW;
	word = plf_load64(t->top);
	if (plf_word_ref(word) != ref)
		return PLF_SLOW;
	rank = plf_load_half(plf_low32(lock));
	plf_store64(lock, rank);
	if (plf_by_cas.swap(t, t->top, word, 0) != PLF_WRITTEN) {
		plf_store64(lock, plf_word(ref, rank));
		return PLF_SLOW;
	}
	return plf_is32(&t->frame[0].gate.word, 0) ? PLF_DONE : PLF_HANDOFF;
}

/* ---- The general steps, for any depth and any stack below ---------------- */

static inline uint32_t plf_higher(uint32_t rank, uint32_t other)
{
	return rank > other ? rank : other;
}

/* Push F, for a lock of that rank, on the stack whose top was `below`. */
static inline __attribute__((always_inline, warn_unused_result)) enum plf_written
plf_publish(struct plf_thread *t, struct plf_frame *f, uint32_t rank, uint64_t below,
	    const struct plf_writer *writer)
{
	return writer->push(t, t->top, below,
			    plf_word(f->ref, plf_higher(rank, plf_word_rank(below))), &f->prev);
}

/*
 * Pop F, which WORD, the stack's top, names. Its owner then looks at its gate. The thread that
 * finds a dead thread's frame on top pops it; such a frame is never pushed again.
 */
static inline __attribute__((always_inline)) enum plf_written
plf_unpublish(struct plf_thread *t, struct plf_frame *f, uint64_t word,
	      const struct plf_writer *writer)
{
	return writer->move(t, t->top, word, &f->prev);
}

/* ---- Sections that nest -------------------------------------------------- */

/*
 * The general enter, after plf_enter_first() found the stack not empty, and the lock FREE, which
 * is its rank. A frame of T on top is its newest (I4): so T is not covered, and its next frame is
 * not in use. The deepest sections are the slow path's, which counts them.
 */
static inline __attribute__((always_inline, warn_unused_result)) enum plf_outcome
plf_enter_nested(struct plf_thread *t, uint64_t *lock, uint64_t free,
		 const struct plf_writer *writer)
{
	uint64_t below = plf_load64(t->top);
	uint32_t newest = plf_word_ref(below) - t->ref;
	struct plf_frame *f = plf_frame_at(t, newest) + 1;
	uint64_t held;

	if (newest >= PLF_DEPTH_MAX - 1)
		return PLF_SLOW;
	held = plf_word(f->ref, 0) | free;
	if (plf_publish(t, f, plf_word_rank(free), below, writer) != PLF_WRITTEN)
		return PLF_SLOW;
	t->nested++;
	if (!plf_is64(lock, free))
		return PLF_RECHECK;
	plf_store64(lock, held);
	plf_barrier();
	return PLF_DONE;
}

/* T's frame that holds the lock; NULL: none does, or frame 0. */
static inline struct plf_frame *plf_nested_holder(const struct plf_thread *t, uint64_t *lock)
{
	uint32_t inner = plf_load_half(plf_high32(lock)) - t->ref - 1;

	return inner < PLF_FRAMES - 1 ? plf_frame_at(t, inner) + 1 : NULL;
}

/* The way out: F, plf_nested_holder() of the lock, is on top. */
static inline __attribute__((always_inline, warn_unused_result)) enum plf_outcome
plf_leave_nested(struct plf_thread *t, uint64_t *lock, struct plf_frame *f,
		 const struct plf_writer *writer)
{
	uint64_t word = plf_load64(t->top);
	uint32_t rank = plf_load_half(plf_low32(lock));

	plf_barrier();
	if (f == NULL || plf_word_ref(word) != f->ref)
		return PLF_SLOW;
	plf_store64(lock, rank);
	if (plf_unpublish(t, f, word, writer) != PLF_WRITTEN) {
		plf_store64(lock, plf_word(f->ref, rank));
		return PLF_SLOW;
	}
	t->nested--;
	return plf_is32(&f->gate.word, 0) ? PLF_DONE : PLF_HANDOFF;
}

/* ---- The account -------------------------------------------------------- */

/*
 * How many frames T, which asks, has on its stack, at least: T may be elsewhere. What plf_namer()
 * says of its walk is true here. Sections pushed on a stack that was not empty leave frame 0
 * unused.
 */
static inline uint32_t plf_frames_there(struct plf_thread *t)
{
	uint32_t count = 0;

	for (uint64_t word = plf_load64(t->top); word != 0;
	     word = plf_load64(&plf_frame_of(t, word)->prev))
		count += plf_is_own(t, word);
	return count;
}

/* The newest frame that T holds, NULL if none. Asked by T only; grows with the open sections. */
static inline struct plf_frame *plf_newest(struct plf_thread *t)
{
	uint64_t word = plf_load64(t->top);

	if (t->nested > 0)
		return &t->frame[t->nested];
	while (word != 0 && plf_word_ref(word) != t->ref)
		word = plf_load64(&plf_frame_of(t, word)->prev);
	return word != 0 ? &t->frame[0] : NULL;
}

/* ---- Removal in any order ------------------------------------------------ */

/*
 * The word that names the frame of that reference; NULL: it is not on T's stack, as its owner
 * knows. Frames above it may come and go meanwhile: each was pushed while this one was there, so
 * its `prev` leads here too. That holds also where the place of such a frame is another thread's
 * by then, if places are given to threads of this CPU alone while the caller is there. A frame
 * from below that is pushed anew meanwhile may lead up again. The walk ends: it goes to frames
 * that were pushed earlier, and for each step back up another thread had to push one.
 */
static inline uint64_t *plf_namer(const struct plf_thread *t, uint32_t ref)
{
	uint64_t *where = t->top;

	for (;;) {
		uint64_t word = plf_load64(where);

		if (word == 0)
			return NULL;
		if (plf_word_ref(word) == ref)
			return where;
		where = &plf_frame_of(t, word)->prev;
	}
}

/*
 * Take T's frame F off, wherever it lies; false: T was moved. Then its owner has the ceilings
 * above reckoned anew, and looks at its gate. The word found may be that of a frame popped since,
 * so look again until nothing names F.
 */
static inline __attribute__((warn_unused_result)) bool
plf_unlink(const struct plf_thread *t, const struct plf_frame *f, const struct plf_writer *writer)
{
	for (;;) {
		uint64_t *where = plf_namer(t, f->ref);
		uint64_t word;

		if (where == NULL)
			return true;
		word = plf_load64(where);
		if (plf_word_ref(word) == f->ref &&
		    writer->move(t, where, word, &f->prev) == PLF_MOVED)
			return false;
	}
}

/*
 * The ceiling of T's frame F, anew: the highest up to it. If T is moved meanwhile, the frame shows
 * too much.
 */
static inline void plf_reckon(const struct plf_thread *t, const struct plf_frame *f,
			      const struct plf_writer *writer)
{
	uint64_t right = plf_word(f->ref, plf_higher(f->rank, plf_word_rank(plf_load64(&f->prev))));

	for (;;) {
		uint64_t *where = plf_namer(t, f->ref);
		uint64_t word = where == NULL ? right : plf_load64(where);

		if (word == right)
			return;
		if (plf_word_ref(word) == f->ref &&
		    writer->swap(t, where, word, right) == PLF_MOVED)
			return;
	}
}

/*
 * T's frames above `below`, which lay below a frame of T that was unlinked, from outside in.
 * Returns their levels, as bits: a thread that saw the old ceilings sleeps at their gates, and has
 * to look again. The frames of others above have higher ceilings in any case (I2). Frame 0 has
 * nothing below it.
 */
static inline __attribute__((warn_unused_result)) uint32_t
plf_reckon_above(struct plf_thread *t, uint64_t below, const struct plf_writer *writer)
{
	uint32_t above[PLF_FRAMES];
	uint32_t levels = 0;
	size_t count = 0;

	for (uint64_t word = plf_load64(t->top);
	     word != 0 && plf_word_ref(word) != plf_word_ref(below) && count < PLF_FRAMES;
	     word = plf_load64(&plf_frame_of(t, word)->prev))
		if (plf_is_own(t, word) && plf_word_ref(word) != t->ref)
			above[count++] = plf_word_ref(word) - t->ref;
	while (count-- > 0) {
		plf_reckon(t, &t->frame[above[count]], writer);
		levels |= 1U << above[count];
	}
	return levels;
}

#endif
