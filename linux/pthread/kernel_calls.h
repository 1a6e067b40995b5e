/* SPDX-License-Identifier: MIT */
#ifndef PLF_KERNEL_CALLS_H
#define PLF_KERNEL_CALLS_H

/* The kernel's scheduling calls, which bypass our interposed functions. errno keeps its value. */
#include <stdbool.h>
#include <stdint.h>

/*
 * The policy (with SCHED_RESET_ON_FORK) and priority of the thread `tid` (0: the caller), without a
 * boost by inheritance.
 */
void plf_kernel_get_priority(uint32_t tid, int *policy, int *priority);

/* Set both for the thread `tid` (0: the caller). Returns 0 or an errno value. */
int plf_kernel_set_priority(uint32_t tid, int policy, int priority);

/* The highest real-time priority that the kernel lets the caller set. */
int plf_kernel_most(void);

/*
 * Block the caller's signals until the returned mask is restored. Faults of its own instructions
 * are not blocked, nor is the C library's signal by which all threads change their user. The caller
 * is not cancelled meanwhile.
 */
uint64_t plf_kernel_block_signals(void);
void plf_kernel_restore_signals(uint64_t before);

/* Register this process, so that it can restart sequences. False: this kernel cannot. */
bool plf_kernel_register_restarts(void);

/*
 * Restart every sequence that a thread of this process runs on that CPU. This must not fail,
 * because a lock word that two CPUs write at once does not exclude. If a sandbox forbids
 * membarrier(2), the caller moves to that CPU and back. If the sandbox forbids that, too, the
 * caller waits until every sequence must have ended.
 */
void plf_kernel_restart_sequences(uint32_t cpu);

#endif
