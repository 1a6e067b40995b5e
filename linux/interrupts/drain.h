/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_DRAIN_H
#define INTERRUPTS_DRAIN_H

/*
 * Moves the contents of an instance's buffers into a recording: a system call for each sub-buffer,
 * and none for each event.
 */
#include "instance.h"
#include "recording.h"

#include <stdbool.h>

struct drain {
	struct recording *recording;
	int cpus;
	int *pages; /* trace_pipe_raw of each CPU */
};

/* False: a message says why. */
__attribute__((warn_unused_result)) bool
open_drain(struct drain *drain, const struct instance *instance, struct recording *recording);

/*
 * Move some of the contents: at least as fast as a CPU's events come. Returns whether there is
 * more.
 */
bool drain_some(struct drain *drain);

void close_drain(struct drain *drain);

#endif
