/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CPMD_SAMPLE_H
#define BENCH_CPMD_SAMPLE_H

/* A preemption or migration: a warm pass, and the pass after it (OSPERT 2010, 4, Figure 1). */
#include "cpmd_set.h"

#include <stdbool.h>
#include <stdint.h>

struct sample {
	int from, to;
	int64_t away_ns;
	struct pass warm, after;  /* the second and the third pass */
	bool warm_cut, after_cut; /* an interrupt or a trap came */
	int64_t fault_count;	  /* page faults of the whole sample */
	int64_t left_count;	  /* times that the thread left the CPU while it should be away */
	int64_t stolen_ns;	  /* by the host, from both CPUs, in the whole sample */
};

/* Do a pass. `is_cut`: an interrupt or a trap came meanwhile. */
struct pass watched_pass(const struct set *set, bool *is_cut);

/* Whether this processor shows interrupts: waits awake for a timer that runs out. */
bool sees_interrupts(void);

/*
 * Print a line: `sample`, and the members in order. A pass has its time, its chunk, and whether it
 * was cut.
 */
void print_sample(const struct sample *sample);

#endif
