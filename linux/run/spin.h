/* SPDX-License-Identifier: MIT */
#ifndef RUN_SPIN_H
#define RUN_SPIN_H

/*
 * Work burns its thread's time, so it does not depend on the processor's speed. A loop looks at the
 * clock after each turn, and adds up the short differences. A longer difference is a gap: a
 * preemption, an interrupt, or a stop of the machine.
 *
 * - The sum of the short differences is at least the requested time. It is less than that time plus
 *   a short difference.
 * - A gap never counts as work.
 * - Gaps are disjoint and ascending. The log notes gaps longer than GAP_NS.
 */
#include "log.h"
#include "pace.h"

/* The state of a thread. */
struct spin {
	const struct pace *pace;
	int64_t recent_ns; /* see pace.h */
};

/* Work for time_ns, from the last look of the log on. */
void spin_for(struct spin *spin, int64_t time_ns, struct log *log);

#endif
