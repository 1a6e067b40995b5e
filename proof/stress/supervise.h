/* SPDX-License-Identifier: MIT */
#ifndef STRESS_SUPERVISE_H
#define STRESS_SUPERVISE_H

/*
 * No FIFO thread outlives a failed run. Each run is a child. It is killed if it stands still, when
 * its time is over, and when its supervisor ends.
 */
#include "crowd.h"

#include <stdbool.h>

enum outcome {
	RAN,
	STOOD_STILL, /* livelock or deadlock, killed */
	CRASHED,     /* ended by a signal of its own */
	COULD_NOT,   /* a privilege or a resource is missing, which it printed */
	INTERRUPTED, /* by Ctrl-C or SIGTERM */
};

/* Rise above all members. Returns false if SCHED_FIFO is denied. */
bool become_supervisor(void);

/* Run the plan in a child. The findings are in SHARED. */
enum outcome supervise(const struct plan *plan, struct report *shared);

/* The signal that interrupted the supervisor, or 0. */
int interrupted_by(void);

#endif
