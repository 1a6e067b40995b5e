/* SPDX-License-Identifier: MIT */
#ifndef RUN_NOISE_H
#define RUN_NOISE_H

#include "../machine/clock.h"

#define OWN_GAP_NS (100 * NS_PER_US) /* LONGEST_OWN_NS of lab/plafond/trace/outside.py */

/*
 * Print the time that a CPU takes from a SCHED_FIFO thread that no thread preempts, as JSON on
 * stdout. For windows of 10 us * 2^k, this is the most in any window of that length, by all gaps,
 * and by gaps up to OWN_GAP_NS. Returns the exit status.
 */
__attribute__((warn_unused_result)) int measure_noise(const char *cpu, const char *seconds);

#endif
