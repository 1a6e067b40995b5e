/* SPDX-License-Identifier: MIT */
#ifndef RUN_NOISE_H
#define RUN_NOISE_H

/*
 * What a CPU takes from a SCHED_FIFO thread that nobody preempts, as JSON on
 * stdout: for windows of 10 us * 2^k the most within any window of that length.
 * The exit status.
 */
int measure_noise(const char *cpu, const char *seconds);

#endif
