/* SPDX-License-Identifier: MIT */
#ifndef PLF_CEILING_STACK_H
#define PLF_CEILING_STACK_H

/*
 * The user-space ceiling stack: the immediate priority ceiling protocol on a stock kernel, without
 * a system call unless another thread is in the way.
 *
 * Source: ours. The ceiling rule comes from the original priority ceiling protocol (Sha, Rajkumar,
 * Lehoczky 1990) and from SRP (Baker 1991). The PI futex (FUTEX_LOCK_PI, FUTEX_UNLOCK_PI) does the
 * kernel's part.
 *
 * All threads of a CPU share the word `top`. It names the newest frame of the stack of open
 * sections and the highest ceiling in the stack. A thread that wakes up, or wants to enter, reads
 * `top`. If that ceiling is at or above the thread's base priority, another thread was preempted
 * inside a section that must end first. The thread then sleeps on the gate of that section's frame,
 * so the kernel lends the thread's priority to the holder. Otherwise no frame covers the thread,
 * and it may push a frame.
 *
 * Invariants (T, U threads; base priorities never change while attached):
 *  I1  The stack is a chain of frames linked by `prev`. Ceilings do not fall from bottom to top,
 *      because a frame's word carries the maximum up to it.
 *  I2  A frame of T lies above a frame of U only if T's base priority is above U's ceiling: T was
 *      not covered when it pushed its outermost frame. For a mutex across CPUs, T's global rank
 *      counts instead, and T opens no section of a ceiling above that frame.
 *  I3  So a lock has at most one frame, because its ceiling covers all its users. If a lock names a
 *      holder although no frame covers its next user, the holder died inside.
 *  I4  The frames of a thread are contiguous.
 *  I5  A gate is open (0) unless a thread sleeps on it, is about to, or gave up. The waiter shuts
 *      the gate in its owner's name and then checks again that the frame covers it. The owner
 *      unpublishes the frame and then reads the gate. So either the waiter sees that the frame is
 *      gone, or the owner sees the shut gate.
 *  I6  A thread that sleeps on a frame's second gate owns the first gate. So there is a single such
 *      sleeper, which finds the second gate open or in the owner's name.
 *
 * Two more invariants if frames are removed in any order (see "Removal in any order"):
 *  I7  Removing a frame is one store of its `prev` into the word that names it. That word is `top`
 *      or the `prev` of the frame above. Only the owner removes a frame; any thread of this CPU may
 *      pop a dead owner's frame from the top. So the frames above and below do not change.
 *  I8  The `prev` of a frame is written together with the `top` that publishes it. Otherwise the
 *      owner of a frame below, still removing it from the frame's last use, could overwrite `prev`
 *      in between.
 *
 * There are two strengths. ROBUST changes `top` by compare-and-swap, so mutual exclusion holds even
 * if a holder is suspended. STRICT uses plain loads and stores. It is correct while no thread of
 * the CPU is suspended between enter and leave, and no foreign PI mutex lends priority. Then `top`
 * is unchanged whenever a preempted thread continues. A CPU uses one strength at a time. A step's
 * writer decides how it writes (see "Writers").
 */
#include "word.h"

#include <stddef.h>

enum {
	PLF_DEPTH_MAX = 16, /* sections that a thread can have open at a time */
	PLF_FRAMES = PLF_DEPTH_MAX + 1,
	PLF_PRIORITY_MAX = 99,
	PLF_RANK_GLOBAL = 1 << 7,   /* above all priorities: see plf_global_rank() */
	PLF_RANK_PRIORITY_BITS = 9, /* bits of a rank that hold the priority */
	PLF_RANK_SPAN = 1 << (PLF_RANK_PRIORITY_BITS - 1), /* above any difference of priorities */
	PLF_REF_PLACE_BITS = 15, /* bits of a reference that hold the place */
	/* bits of a gate's word that hold the TID; the others are the kernel's flags */
	PLF_TID_MASK = 0x3fffffff,
	PLF_OWNER_DIED = 0x40000000, /* the flag that the kernel sets when the owner dies */
};

enum plf_strength {
	PLF_STRENGTH_ROBUST,
	PLF_STRENGTH_STRICT,
	PLF_STRENGTHS,
};

/*
 * A rank is a priority tagged with the CPU on which it counts. Ranks of the same CPU compare like
 * their priorities. Ranks of two CPUs are further apart than any two priorities. So a single
 * subtraction detects both "not my CPU" and "ceiling below my priority".
 */
static inline uint32_t plf_rank(uint32_t cpu, uint32_t priority)
{
	return (cpu + 1) << PLF_RANK_PRIORITY_BITS | priority;
}

/*
 * The rank of a section across CPUs (global_word.h), from its holder's base priority. It is above
 * all ceilings of the CPU and keeps the order of base priorities.
 */
static inline uint32_t plf_global_rank(uint32_t cpu, uint32_t priority)
{
	return plf_rank(cpu, PLF_RANK_GLOBAL + priority);
}

/*
 * There are three kinds of 64-bit word. Each is {frame reference, rank}, because a single load must
 * return a frame and its ceiling together:
 *  top   the newest frame, and the highest ceiling up to it; 0: the stack is empty
 *  prev  in a frame: the value of `top` before that frame was pushed
 *  lock  the holder's frame (0: free), and the lock's ceiling (0: the fast path refuses, the slow
 *        path decides)
 *
 * If its holder locked a lock again, the lock names the unused place behind the holder's frames.
 * Then the slow path also handles the leave.
 *
 * The words hold no pointers. A reference is the frame's place in the arena, counted in frames,
 * with a generation in the bits above. The generation changes when a dead thread's place is used
 * again.
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
 * A PI futex with the owner's entry for the robust list. The kernel and the C library require a
 * fixed distance between futex and entry.
 */
struct plf_gate {
	uint32_t word; /* 0, or a TID with the kernel's two flag bits */
	uint32_t reserved[5];
	void *link[2]; /* private to the owner and the kernel */
};

/*
 * An open section. Frames are type-stable, because a late waiter may still read a popped frame.
 * Each frame has a gate, because with a gate per thread a waiter would wait for the holder's
 * outermost section although only an inner section covers it.
 *
 * The second gate is for a thread that passed the first gate but is still covered. Then waiters
 * from the frame's last use hold the first gate: a holder that was suspended inside let less urgent
 * threads queue there. Only the owner of the first gate may use the second gate, so such waiters
 * never hold it.
 */
struct plf_frame {
	struct plf_gate gate;
	struct plf_gate second;
	uint32_t ref;
	uint32_t level; /* constant: the frame's index in its thread */
	uint64_t prev;
	/* the lock's rank, for the frame's owner; used if frames are removed in any order */
	uint32_t rank;
} __attribute__((aligned(128)));

/*
 * Frame 0 is always the bottom of the stack, so its `prev` is always 0. The fast path uses only
 * frame 0. Sections pushed on a stack that is not empty use the frames from 1 on.
 *
 * All gates and `life` are in the owner's robust list. If the owner ends without detaching, the
 * kernel replaces its TID by PLF_OWNER_DIED before another thread can get that TID. The kernel
 * marks only gates that were shut before. For a gate shut later, a waiter checks `life`.
 */
struct plf_thread {
	uint64_t *top;			   /* the CPU's word */
	uint64_t word;			   /* {frame 0, base rank} */
	uint64_t fast_rank[PLF_STRENGTHS]; /* base rank; out of reach for the other strength */
	/* frame 0; no thread's reference for the other strength */
	uint32_t fast_ref[PLF_STRENGTHS];
	uint32_t ref;		 /* the reference of frame 0 */
	uint32_t tid;		 /* 0 if no thread uses this place */
	uint32_t rank;		 /* the base rank, never the boosted rank */
	uint32_t nested;	 /* frames held, without frame 0 */
	const uint32_t *cpu_now; /* the kernel writes the owner's current CPU here */
	uint32_t cpu;		 /* the CPU on which the owner must be */
	uint32_t strength;
	struct plf_gate life; /* the owner's TID */
	struct plf_frame frame[PLF_FRAMES];
};

/* The result of an enter or leave. The slow path handles every result except DONE. */
enum plf_outcome {
	PLF_DONE,
	PLF_SLOW,    /* not the simple case: nothing was changed */
	PLF_NESTED,  /* enter: like SLOW, but plf_enter_nested() may continue */
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

/* The frame `distance` places after T's frame 0. It may belong to another thread. */
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

/* Return whether T, the caller, is on the CPU of its stack. T may be moved after the answer. */
static inline bool plf_is_at_home(const struct plf_thread *t)
{
	return plf_load32(t->cpu_now) == t->cpu;
}

/* ---- Writers ------------------------------------------------------------ */

enum plf_written {
	PLF_WRITTEN,
	/* not the expected value, or T was preempted: nothing visible was written, so look again */
	PLF_STALE,
	PLF_MOVED, /* T is no longer on the CPU of its stack */
};

/*
 * A writer: how T writes a word of its stack, `top` or a frame's `prev`. EXPECTED is the value that
 * T saw there. A step gets its writer as a constant, so the compiler inlines it to a few
 * instructions.
 */
struct plf_writer {
	/* Write DESIRED if the word still holds EXPECTED. */
	enum plf_written (*swap)(const struct plf_thread *t, uint64_t *word, uint64_t expected,
				 uint64_t desired);
	/* The same, but write the value that FROM holds at that moment. */
	enum plf_written (*move)(const struct plf_thread *t, uint64_t *word, uint64_t expected,
				 const uint64_t *from);
	/* Write DESIRED, and EXPECTED to *PREV, which is not yet a word of the stack (I8). */
	enum plf_written (*push)(const struct plf_thread *t, uint64_t *word, uint64_t expected,
				 uint64_t desired, uint64_t *prev);
};

/*
 * Compare-and-swap, for a pinned thread when frames are removed only from the top. Then no other
 * thread writes the `prev` of a frame that T pushes or finds on top.
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

/* Plain stores, for a strict thread. The word holds EXPECTED whenever that thread continues. */
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
 * Return the frame to wait on: the outermost frame that covers T. If T waited on an inner frame, T
 * would go on as soon as the inner section ends. Frames of dead threads are skipped. NULL: no live
 * frame covers T. The walk ends because every `prev` names a frame that was pushed earlier (I1),
 * even in a popped frame.
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
 * Shut a gate of F in its owner's name. True: F still covers T, which may now sleep on the gate.
 * The caller must ensure that the owner's place is not given to another thread meanwhile. Otherwise
 * the TID would not be that of the thread that pushed F.
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
 * Enter if the stack is empty. After publishing the frame, read the lock again, because its last
 * holder may have died or its ceiling changed. Once the frame is published, no other user of the
 * lock can run. The hints are needed because the compiler would guess a writer's usual result
 * wrongly. NESTED: the lock was free with the value *FREE, its rank.
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
 * Leave if frame 0 holds the lock and is on top. The lock becomes free before the frame goes,
 * because other threads may take the lock once the frame is gone. The lock is written as a whole,
 * so that its next load need not wait until two stores merge. Only the first gate is read, because
 * a sleeper on the second gate keeps the first gate shut.
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
 * Pop F, which the stack's top, WORD, names. Afterwards its owner must read its gate. A thread that
 * finds a dead thread's frame on top also pops it. Such a frame is never pushed again.
 */
static inline __attribute__((always_inline)) enum plf_written
plf_unpublish(struct plf_thread *t, struct plf_frame *f, uint64_t word,
	      const struct plf_writer *writer)
{
	return writer->move(t, t->top, word, &f->prev);
}

/* ---- Sections that nest -------------------------------------------------- */

/*
 * Enter in general, after plf_enter_first() found that the stack is not empty and the lock is free.
 * FREE is the lock's value, its rank. If a frame of T is on top, it is T's newest frame (I4). So T
 * is not covered, and its next frame is unused. The slow path handles the deepest sections, because
 * it counts them.
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

/* Return T's frame that holds the lock. NULL: frame 0 or no frame of T holds it. */
static inline struct plf_frame *plf_nested_holder(const struct plf_thread *t, uint64_t *lock)
{
	uint32_t inner = plf_load_half(plf_high32(lock)) - t->ref - 1;

	return inner < PLF_FRAMES - 1 ? plf_frame_at(t, inner) + 1 : NULL;
}

/* Leave a section whose frame F = plf_nested_holder() is on top. */
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
 * Return how many frames T, the caller, has on its stack. It is a lower bound, because T may be on
 * another CPU. The walk relies on the properties that plf_namer() describes. Frame 0 stays unused
 * if T pushed its sections on a stack that was not empty.
 */
static inline uint32_t plf_frames_there(struct plf_thread *t)
{
	uint32_t count = 0;

	for (uint64_t word = plf_load64(t->top); word != 0;
	     word = plf_load64(&plf_frame_of(t, word)->prev))
		count += plf_is_own(t, word);
	return count;
}

/*
 * Return the newest frame that T holds, or NULL. Only T may call this. Time grows with the open
 * sections.
 */
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
 * Return the word that names the frame with that reference. NULL: the frame is not on T's stack,
 * which only its owner can know. Frames above it may come and go meanwhile. Each of them was pushed
 * while this frame was there, so its `prev` leads here too.
 *
 * This holds even if another thread got the place of such a frame. While the caller is there,
 * places must be given only to threads of this CPU. A frame from below that is pushed again
 * meanwhile may lead upwards once more. The walk ends because it goes to frames that were pushed
 * earlier, and another thread had to push a frame for each step back.
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
 * Remove T's frame F, wherever it lies. False: T was moved to another CPU. Afterwards the owner
 * must compute the ceilings above again and read the gate. The word found may belong to a frame
 * that was popped since, so the loop runs until no word names F.
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
 * Compute the ceiling of T's frame F again: the highest ceiling up to F. If T is moved meanwhile,
 * the frame may show too high a ceiling.
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
 * Compute the ceilings of T's frames above `below` again, from outside in, after T unlinked a frame
 * that lay directly on `below`. Return their levels as bits. A thread that saw the old ceilings
 * sleeps at their gates and must look again. Frames of other threads above have higher ceilings in
 * any case (I2). Frame 0 has nothing below it.
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
