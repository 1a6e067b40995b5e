/* SPDX-License-Identifier: MIT */
#ifndef RUN_WITNESS_H
#define RUN_WITNESS_H

/*
 * Print, as JSON on stdout, how fit a CPU is for real time: how often and for how long it stopped a
 * SCHED_FIFO thread in the loop of run steps, and how fast that loop was. A stop is a turn of more
 * than OWN_GAP_NS. Returns the exit status.
 */
__attribute__((warn_unused_result)) int measure_stops(const char *cpu, const char *seconds);

#endif
