/* SPDX-License-Identifier: MIT */
#ifndef STEP_ARRIVAL_H
#define STEP_ARRIVAL_H

/*
 * Bringing a thread on the scene at one chosen instruction boundary of another.
 *
 * A boundary is "before the Nth execution of the instruction at this address".
 * The boundaries of a stretch of code are found by running it once under the trap
 * flag. To arrive at one, a breakpoint is put there; the victim's SIGTRAP handler
 * takes it away, wakes the comer, which has the higher priority and runs at once,
 * and lets the victim go on when the kernel gives the CPU back. The victim is
 * never suspended, only preempted. (Under a hypervisor a trap-flag step costs
 * tens of microseconds and a breakpoint one: to step through all code before each
 * of some hundred thousand pairs would take hours.)
 *
 * Of what follows a SYSCALL instruction the trap flag shows the second boundary,
 * not the first; no shared word is touched in between.
 *
 * Restartable sequences (rseq(2)): a trap is a signal, so the kernel has the victim go on
 * at the sequence's abort address, as after any preemption. But nothing else ran if
 * no actor arrived: then the victim is put back where it was, inside, and its `rseq_cs` too,
 * so that the kernel restarts it the next time. Where an actor arrives, the victim goes on
 * at the abort address if it was preempted, and inside if it only stood still. A breakpoint
 * in there is an illegal instruction, for which the kernel reports the address.
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
	const void *victim; /* whose boundary: see arrival_self */
	struct boundary at;
	bool (*comes)(void *argument); /* in the victim's handler. True: it preempts the victim */
	void *argument;
	struct trace *rest; /* if wanted: the victim's boundaries from there on are added to it */
	bool armed;
	bool happened;
	unsigned seen;
};

/* Identity of the calling thread, compared with `victim`. */
extern __thread const void *arrival_self;

/* Is it of another CPU than all victims? Then they run beside it. */
extern __thread bool arrival_beside;

/* Once: the handler, and leave to write into program text. Returns 0 or an errno value. */
int arrival_setup(void);

/* The code that is swept has these sequences. */
void arrival_know_sequences(const struct rseq_cs *sequence, size_t count);
bool is_in_sequence(const uint8_t *address);

/* Make it happen when the victim gets there; at most two at a time. */
void arrival_arm(struct arrival *arrival);

/* Take it back if it has not happened. */
void arrival_disarm(struct arrival *arrival);

/* Code of the program that counts as shipped: where the library's inline halves are. */
#define SHIPPED __attribute__((noinline, section("shipped")))

bool is_inline(const uint8_t *address);

/* Between the two, each boundary of the calling thread in shipped code is added to `trace`, if not
 * NULL. */
void trace_begin(struct trace *trace);
void trace_end(void);

#endif
