/* SPDX-License-Identifier: MIT */
#ifndef STEP_ARRIVAL_H
#define STEP_ARRIVAL_H

/*
 * Make a thread arrive at one chosen instruction boundary of another thread.
 *
 * A boundary is "before the Nth execution of the instruction at this address". A run under the trap
 * flag finds the boundaries of a piece of code. For an arrival, a breakpoint is put at the
 * boundary. The victim's SIGTRAP handler removes it and wakes the comer. The comer has the higher
 * priority, so it runs at once. The victim goes on when the kernel gives the CPU back. It is never
 * suspended, only preempted. Under a hypervisor a step by the trap flag takes tens of microseconds,
 * and a breakpoint a single microsecond. So to step through all code before each of some hundred
 * thousand pairs would take hours.
 *
 * After a SYSCALL instruction the trap flag shows the second boundary, and not the first. No shared
 * word is touched in between.
 *
 * Restartable sequences (rseq(2)): a trap is a signal, so the kernel makes the victim go on at the
 * sequence's abort address, as after any preemption. If no actor arrived, nothing else ran. Then
 * the handler puts the victim back into the sequence and restores its `rseq_cs`, so that the kernel
 * restarts it the next time. If an actor arrived and preempted the victim, the victim goes on at
 * the abort address. If the victim only stood still, it goes on inside. A breakpoint in a sequence
 * is an illegal instruction, because the kernel then reports its address.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/rseq.h>

enum { TRACE_MAX = 8192 };

struct boundary {
	uint8_t *address;
	unsigned execution; /* from 1 */
};

struct trace {
	size_t count;
	struct boundary at[TRACE_MAX];
};

struct arrival {
	const void *victim; /* the thread with the boundary: see arrival_self */
	struct boundary at;
	bool (*comes)(void *argument); /* in the victim's handler; returns whether it preempts
					* the victim */
	void *argument;
	struct trace *rest; /* if not NULL: later boundaries of the victim are added to it */
	bool armed;
	bool happened;
	unsigned seen;
};

/* Identity of the calling thread, compared with `victim`. */
extern __thread const void *arrival_self;

/* Whether the thread runs on another CPU than all victims, and so beside them. */
extern __thread bool arrival_beside;

/* Call once: install the handler, and make program text writable. Returns 0 or an errno value. */
int arrival_setup(void);

/* The restartable sequences of the swept code. */
void arrival_know_sequences(const struct rseq_cs *sequence, size_t count);
bool is_in_sequence(const uint8_t *address);

/* Make the arrival happen when the victim gets there. At most two may be armed. */
void arrival_arm(struct arrival *arrival);

/* Cancel the arrival if it has not happened. */
void arrival_disarm(struct arrival *arrival);

/* Code of the program that counts as shipped, because it has the library's inline halves. */
#define SHIPPED __attribute__((noinline, section("shipped")))

bool is_inline(const uint8_t *address);

/* Between these calls, add each boundary of the calling thread in shipped code to `trace`, unless
 * it is NULL. */
void trace_begin(struct trace *trace);
void trace_end(void);

#endif
