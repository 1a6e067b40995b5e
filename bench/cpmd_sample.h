/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CPMD_SAMPLE_H
#define BENCH_CPMD_SAMPLE_H

/* One preemption or migration: a warm pass, and the one after it (OSPERT 2010, 4, Figure 1). */
#include "cpmd_set.h"

#include <stdbool.h>
#include <stdint.h>

struct sample {
	int from, to;
	int64_t away_ns;
	struct pass warm, after;  /* the second and the third pass */
	bool warm_cut, after_cut; /* an interrupt or a trap came */
	int64_t fault_count;	  /* of pages, in all of it */
	int64_t left_count;	  /* how often the thread left the CPU while it was to be away */
	int64_t stolen_ns;	  /* by the host, of both CPUs, in all of it */
};

/* A pass, and whether an interrupt or a trap came. */
struct pass watched_pass(const struct set *set, bool *is_cut);

/* Whether this processor shows interrupts at all: a timer runs out while it is awaited awake. */
bool sees_interrupts(void);

/* A line: `sample`, and the members in order; a pass is its time, its chunk, and whether it was
 * cut. */
void print_sample(const struct sample *sample);

#endif
