/* SPDX-License-Identifier: MIT */
#ifndef RUN_SPIN_H
#define RUN_SPIN_H

/*
 * Work: a counted loop, done in chunks with a look at the clock after each. The time of a
 * chunk counts as work, for a processor does not keep its speed: it is
 * some percent slower or faster from one millisecond to the next. But a chunk that
 * took half as long again was interrupted, and counts as calibrated: time in which
 * the thread is preempted is no work.
 */
#include "log.h"

struct spin {
	uint64_t chunk_iterations;
	double chunk_ns; /* with the look at the clock */
};

/* `iterations` of the loop, no look. */
void spin_iterations(uint64_t iterations);

/* Work that takes `time_ns` when no thread preempts; goes on from the last look of the log. */
void spin_for(const struct spin *spin, int64_t time_ns, struct log *log);

#endif
