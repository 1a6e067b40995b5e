/* SPDX-License-Identifier: MIT */
#ifndef PLF_GATE_H
#define PLF_GATE_H

/* Threads sleep here because of another thread's open section. */
#include "arena.h"
#include "clock.h"

/*
 * Sleep until no open section of another thread covers T. Errors as the kernel
 * returns them: ETIMEDOUT (see clock.h), EDEADLK (the wait would close a cycle), ENOMEM.
 */
__attribute__((warn_unused_result)) int plf_wait_uncovered(struct plf_thread *t, uint64_t until_ns);

/* Sleep until F's owner has left; 0 also if it did before we could. Errors as above. */
__attribute__((warn_unused_result)) int plf_pass_gate(struct plf_thread *t, struct plf_frame *f,
						      uint64_t until_ns);

/*
 * Sleep until the gate, one of OWNER's, is the caller's; the kernel lends the thread that
 * has it the caller's priority meanwhile. EAGAIN: nothing was acquired, look again.
 */
__attribute__((warn_unused_result)) int plf_gate_acquire(struct plf_thread *owner,
							 struct plf_gate *gate, uint64_t until_ns);

/* If the gate is in the name of `tid`, open it or hand it to the next thread that sleeps on it. */
void plf_gate_release(struct plf_gate *gate, uint32_t tid);

/* F is over: the threads that sleep at its gates, shut in the name of `tid`, look again. */
void plf_gates_release(struct plf_frame *f, uint32_t tid);

#endif
