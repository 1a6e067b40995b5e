/* SPDX-License-Identifier: MIT */
#ifndef PLF_GATE_H
#define PLF_GATE_H

/* Gates: threads sleep here while another thread's open section keeps them out. */
#include "arena.h"
#include "clock.h"

/*
 * Sleep until no open section of another thread covers T. Returns 0 or an error of the kernel:
 * ETIMEDOUT (see clock.h), EDEADLK (the wait would close a cycle), ENOMEM.
 */
__attribute__((warn_unused_result)) int plf_wait_uncovered(struct plf_thread *t, uint64_t until_ns);

/* Sleep until F's owner has left the section. If it has left already, return 0. Errors as above. */
__attribute__((warn_unused_result)) int plf_pass_gate(struct plf_thread *t, struct plf_frame *f,
						      uint64_t until_ns);

/*
 * Sleep until the caller has this gate of OWNER. Meanwhile the kernel lends the caller's priority
 * to the thread that has the gate. EAGAIN: nothing was acquired, look again.
 */
__attribute__((warn_unused_result)) int plf_gate_acquire(struct plf_thread *owner,
							 struct plf_gate *gate, uint64_t until_ns);

/* If the gate names `tid`, open it, or hand it to the next thread that sleeps on it. */
void plf_gate_release(struct plf_gate *gate, uint32_t tid);

/* F's section is over: release its two gates, which name `tid`. Their sleepers look again. */
void plf_gates_release(struct plf_frame *f, uint32_t tid);

#endif
