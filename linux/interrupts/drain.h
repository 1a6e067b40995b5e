/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_DRAIN_H
#define INTERRUPTS_DRAIN_H

/* Moves what the buffers of an instance hold into a recording. One call a sub-buffer, none an
 * event. */
#include "instance.h"
#include "recording.h"

#include <stdbool.h>

struct drain {
	struct recording *recording;
	int cpus;
	int *pages; /* trace_pipe_raw of each CPU */
};

/* False: this said why. */
__attribute__((warn_unused_result)) bool
open_drain(struct drain *drain, const struct instance *instance, struct recording *recording);

/* Some of what there is, so much that a CPU's events do not come faster. Is there more? */
bool drain_some(struct drain *drain);

void close_drain(struct drain *drain);

#endif
