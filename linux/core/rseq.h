/* SPDX-License-Identifier: MIT */
#ifndef PLF_RSEQ_H
#define PLF_RSEQ_H

/*
 * Restartable sequences (rseq(2)): comparisons, and one last store that commits. If the thread is
 * preempted, moved to another CPU or interrupted by a signal in between, it goes on at
 * PLF_RESTARTED, and the last store was not made. So a compared word that only threads of this CPU
 * write still has its value at that store. The store is made on this CPU.
 *
 * Each function returns PLF_COMMITTED, PLF_MISMATCH (a word differs: nothing was stored) or
 * PLF_RESTARTED (look again; of several stores, the first may have been made).
 */
#include "cpu.h"
#include "sequence.h" /* this processor's */

#include <plafond/ceiling_stack.h>

#include <stdbool.h>
#include <stdint.h>

enum plf_rseq_outcome {
	PLF_COMMITTED,
	PLF_MISMATCH,
	PLF_RESTARTED,
};

/*
 * Push the first frame onto an empty stack, and take a free lock word of this CPU. The frame comes
 * first, so it covers a thread that comes in between.
 */
static inline enum plf_rseq_outcome plf_rseq_enter(struct rseq *rseq, uint32_t cpu, uint64_t *top,
						   uint64_t word, const uint32_t *home,
						   uint32_t *lock, uint32_t tid)
{
	__asm__ goto volatile(
		PLF_SEQUENCE_BEGIN PLF_EXPECT_32(home, word) PLF_EXPECT_ZERO_64(top)
			PLF_EXPECT_ZERO_32(lock) PLF_STORE_64(top, word) PLF_STORE_32(lock, tid)
				PLF_SEQUENCE_END
		:
		: [rseq] "r"(rseq), [cpu] "r"(cpu), [top] PLF_SEQUENCE_WORD(*top), [word] "r"(word),
		  [home] PLF_SEQUENCE_WORD(*home), [lock] PLF_SEQUENCE_WORD(*lock), [tid] "r"(tid)
		: PLF_SEQUENCE_CLOBBERS
		: mismatch, restarted);
	return PLF_COMMITTED;
mismatch:
	return PLF_MISMATCH;
restarted:
	return PLF_RESTARTED;
}

/* Write DESIRED to the lock word of a mutex of this CPU, if the word is EXPECTED. */
static inline enum plf_rseq_outcome plf_rseq_lock_word(struct rseq *rseq, uint32_t cpu,
						       const uint32_t *home, uint32_t local,
						       uint32_t *lock, uint32_t expected,
						       uint32_t desired)
{
	__asm__ goto volatile(PLF_SEQUENCE_BEGIN PLF_EXPECT_32(home, local)
				      PLF_EXPECT_32(lock, expected) PLF_STORE_32(lock, desired)
					      PLF_SEQUENCE_END
			      :
			      : [rseq] "r"(rseq), [cpu] "r"(cpu), [home] PLF_SEQUENCE_WORD(*home),
				[local] "r"(local), [lock] PLF_SEQUENCE_WORD(*lock),
				[expected] "r"(expected), [desired] "r"(desired)
			      : PLF_SEQUENCE_CLOBBERS
			      : mismatch, restarted);
	return PLF_COMMITTED;
mismatch:
	return PLF_MISMATCH;
restarted:
	return PLF_RESTARTED;
}

/* Write DESIRED to a word of this CPU's stack, if the word is EXPECTED. */
static inline enum plf_rseq_outcome plf_rseq_swap(struct rseq *rseq, uint32_t cpu, uint64_t *word,
						  uint64_t expected, uint64_t desired)
{
	__asm__ goto volatile(PLF_SEQUENCE_BEGIN PLF_EXPECT_64(word, expected)
				      PLF_STORE_64(word, desired) PLF_SEQUENCE_END
			      :
			      : [rseq] "r"(rseq), [cpu] "r"(cpu), [word] PLF_SEQUENCE_WORD(*word),
				[expected] "r"(expected), [desired] "r"(desired)
			      : PLF_SEQUENCE_CLOBBERS
			      : mismatch, restarted);
	return PLF_COMMITTED;
mismatch:
	return PLF_MISMATCH;
restarted:
	return PLF_RESTARTED;
}

/* Write the value of FROM to a word of this CPU's stack, if the word is EXPECTED. */
static inline enum plf_rseq_outcome plf_rseq_move(struct rseq *rseq, uint32_t cpu, uint64_t *word,
						  uint64_t expected, const uint64_t *from)
{
	__asm__ goto volatile(PLF_SEQUENCE_BEGIN PLF_EXPECT_64(word, expected)
				      PLF_COPY_64(word, from) PLF_SEQUENCE_END
			      :
			      : [rseq] "r"(rseq), [cpu] "r"(cpu), [word] PLF_SEQUENCE_WORD(*word),
				[expected] "r"(expected), [from] PLF_SEQUENCE_WORD(*from)
			      : PLF_SEQUENCE_CLOBBERS
			      : mismatch, restarted);
	return PLF_COMMITTED;
mismatch:
	return PLF_MISMATCH;
restarted:
	return PLF_RESTARTED;
}

/*
 * As plf_rseq_swap(), after writing EXPECTED to *PREV. Until the last store, no other thread uses
 * *PREV.
 */
static inline enum plf_rseq_outcome plf_rseq_push(struct rseq *rseq, uint32_t cpu, uint64_t *word,
						  uint64_t expected, uint64_t desired,
						  uint64_t *prev)
{
	__asm__ goto volatile(
		PLF_SEQUENCE_BEGIN PLF_EXPECT_64(word, expected) PLF_STORE_64(prev, expected)
			PLF_STORE_64(word, desired) PLF_SEQUENCE_END
		:
		: [rseq] "r"(rseq), [cpu] "r"(cpu), [word] PLF_SEQUENCE_WORD(*word),
		  [expected] "r"(expected), [desired] "r"(desired), [prev] PLF_SEQUENCE_WORD(*prev)
		: PLF_SEQUENCE_CLOBBERS
		: mismatch, restarted);
	return PLF_COMMITTED;
mismatch:
	return PLF_MISMATCH;
restarted:
	return PLF_RESTARTED;
}

/* ---- The writer of a thread that may be moved: see protocol/ceiling_stack.h ---- */

static inline enum plf_written plf_sequence_wrote(const struct plf_thread *t,
						  enum plf_rseq_outcome outcome)
{
	if (outcome == PLF_COMMITTED)
		return PLF_WRITTEN;
	return plf_is_at_home(t) ? PLF_STALE : PLF_MOVED;
}

static inline enum plf_written plf_swap_by_sequence(const struct plf_thread *t, uint64_t *word,
						    uint64_t expected, uint64_t desired)
{
	return plf_sequence_wrote(t,
				  plf_rseq_swap(plf_rseq_area(), t->cpu, word, expected, desired));
}

static inline enum plf_written plf_move_by_sequence(const struct plf_thread *t, uint64_t *word,
						    uint64_t expected, const uint64_t *from)
{
	return plf_sequence_wrote(t, plf_rseq_move(plf_rseq_area(), t->cpu, word, expected, from));
}

static inline enum plf_written plf_push_by_sequence(const struct plf_thread *t, uint64_t *word,
						    uint64_t expected, uint64_t desired,
						    uint64_t *prev)
{
	return plf_sequence_wrote(
		t, plf_rseq_push(plf_rseq_area(), t->cpu, word, expected, desired, prev));
}

static const struct plf_writer plf_by_sequence = { plf_swap_by_sequence, plf_move_by_sequence,
						   plf_push_by_sequence };

#endif
