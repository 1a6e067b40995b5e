/* SPDX-License-Identifier: MIT */
#ifndef STRESS_SUPERVISE_H
#define STRESS_SUPERVISE_H

/*
 * No FIFO thread outlives a failed run: each run is a child, killed when it stands
 * still, when its time is over, and when its supervisor ends.
 */
#include "crowd.h"

#include <stdbool.h>

enum outcome {
	RAN,
	STOOD_STILL, /* livelock or deadlock, killed */
	CRASHED,     /* ended by a signal of its own */
	COULD_NOT,   /* a privilege or a resource is missing: it said which */
	INTERRUPTED, /* by Ctrl-C or SIGTERM */
};

/* Above all members; false: SCHED_FIFO is denied. */
bool become_supervisor(void);

/* Run the plan in a child; what it found lies in REPORT, which is shared. */
enum outcome supervise(const struct plan *plan, struct report *shared);

/* The signal that interrupted us, or 0. */
int interrupted_by(void);

#endif
