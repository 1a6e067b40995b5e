/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_SERVERS_H
#define ANALYSIS_SERVERS_H

/* Servers that share a processor: which one has it, and what becomes of its budget; see model.h. */
#include "model.h"

/* In how many phases they can be to each other, and one of these. */
unsigned servers_phases(const struct taskset *set);
void servers_begin(const struct taskset *set, struct state *state, unsigned phase);

/* The server that has the processor, or NO_SERVER; `ready`: a bit for each that has a task to run.
 * A polling one without drops its budget where it would have the processor. */
unsigned servers_choose(const struct taskset *set, struct state *state, unsigned ready);

/* One unit of time, in which a server had the processor, or NO_SERVER. */
void servers_pass(const struct taskset *set, struct state *state, unsigned server);

#endif
