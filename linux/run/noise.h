/* SPDX-License-Identifier: MIT */
#ifndef RUN_NOISE_H
#define RUN_NOISE_H

/*
 * Print the time that a CPU takes from a SCHED_FIFO thread that no thread preempts, as JSON on
 * stdout: for windows of 10 us * 2^k the most within any window of that length. Return
 * the exit status.
 */
__attribute__((warn_unused_result)) int measure_noise(const char *cpu, const char *seconds);

#endif
