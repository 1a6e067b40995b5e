/* SPDX-License-Identifier: MIT */
#ifndef RUN_SPIN_H
#define RUN_SPIN_H

/*
 * Work burns time of its thread, so it does not hang on the processor's speed. A loop looks at the
 * clock after each turn and adds up the short differences. A longer difference is a gap: a
 * preemption, an interrupt, or a stop of the machine.
 *
 * - The sum of the short differences is at least the time asked for, and less than that time and
 *   one short difference.
 * - A gap never counts as work.
 * - Gaps are disjoint and ascending. The log notes those of more than GAP_NS.
 */
#include "log.h"
#include "pace.h"

/* Of a thread. */
struct spin {
	const struct pace *pace;
	int64_t recent_ns; /* see pace.h */
};

/* Goes on from the last look of the log. */
void spin_for(struct spin *spin, int64_t time_ns, struct log *log);

#endif
