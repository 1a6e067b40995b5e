/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_SERVERS_H
#define ANALYSIS_SERVERS_H

/* Servers that share a processor: which one has it, and what becomes of its budget; see model.h. */
#include "model.h"

/* What the tasks of servers are up to. */
struct served {
	unsigned ready;		      /* a bit for each server that has a task to run */
	unsigned inside;	      /* and for each that has one in a shared section */
	unsigned claims[MAX_SERVERS]; /* of those: the most urgent server that uses what it holds */
};

/* In how many phases they can be to each other, and one of these. */
unsigned servers_phases(const struct taskset *set);
void servers_begin(const struct taskset *set, struct state *state, unsigned phase);

/* The server that has the processor, or NO_SERVER. A polling one without a task to run drops its
 * budget where it would have the processor. */
unsigned servers_choose(const struct taskset *set, struct state *state, const struct served *served,
			struct choices *choices);

/* What a server may still use before its next budget, but for an overrun. */
unsigned servers_left(const struct taskset *set, const struct state *state, unsigned server);

/* Those that use more than their budget now; those inside that have no budget and may not. */
unsigned servers_over(const struct taskset *set, const struct state *state, unsigned inside);
unsigned servers_unfinished(const struct taskset *set, const struct state *state, unsigned inside);

/* One unit of time, in which a server had the processor, or NO_SERVER; and then those servers of
 * which a budget begins. */
void servers_charge(const struct taskset *set, struct state *state, unsigned server);
unsigned servers_replenish(const struct taskset *set, struct state *state);

#endif
