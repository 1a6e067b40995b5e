/* SPDX-License-Identifier: MIT */
#ifndef PLF_KERNEL_CALLS_H
#define PLF_KERNEL_CALLS_H

/* The kernel's scheduling calls, past our own interposed ones. errno keeps its value. */
#include <stdbool.h>
#include <stdint.h>

/* Policy (with SCHED_RESET_ON_FORK) and priority of the thread `tid` (0: the caller), unboosted. */
void plf_kernel_get_priority(uint32_t tid, int *policy, int *priority);

/* Of the thread `tid` (0: the caller). Returns an errno value. */
int plf_kernel_set_priority(uint32_t tid, int policy, int priority);

/* The highest priority that the kernel lets the caller have. */
int plf_kernel_most(void);

/*
 * No signal handler runs in the caller until the mask of before is restored: but for faults of its
 * own instructions, and the C library's signal by which all threads change their user. A thread is
 * not cancelled meanwhile.
 */
uint64_t plf_kernel_block_signals(void);
void plf_kernel_restore_signals(uint64_t before);

/* Let this process restart sequences. False: this kernel cannot. */
bool plf_kernel_register_restarts(void);

/*
 * Restart every sequence that runs on that CPU, in threads of this process. A lock word that two
 * CPUs write apart would be no lock: where a sandbox forbids the call the caller itself goes there
 * and back; where it forbids that, too, it waits until every sequence must have ended.
 */
void plf_kernel_restart_sequences(uint32_t cpu);

#endif
