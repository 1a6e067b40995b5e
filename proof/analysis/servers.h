/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_SERVERS_H
#define ANALYSIS_SERVERS_H

/* Servers that share a processor: which server has it, and how budgets change; see model.h. */
#include "model.h"

/* The state of the servers' tasks. */
struct served {
	unsigned ready;	 /* a bit for each server that has a task to run */
	unsigned inside; /* a bit for each server that has a task in a shared section */
	unsigned claims[MAX_SERVERS]; /* for each server inside: the most urgent server that uses
					 its held resources */
};

/* Number of combinations of the servers' phases, and the begin of the state in a combination. */
unsigned servers_phases(const struct taskset *set);
void servers_begin(const struct taskset *set, struct state *state, unsigned phase);

/* Returns the server that has the processor, or NO_SERVER. A polling server without a task to run
 * drops its budget if it would have the processor. */
unsigned servers_choose(const struct taskset *set, struct state *state, const struct served *served,
			struct choices *choices);

/* Budget that a server has left in this period, without any overrun. */
unsigned servers_left(const struct taskset *set, const struct state *state, unsigned server);

/* Of the servers `inside` without budget: the servers that overrun, and the servers whose policy is
 * skip, which should have ended the section. */
unsigned servers_over(const struct taskset *set, const struct state *state, unsigned inside);
unsigned servers_unfinished(const struct taskset *set, const struct state *state, unsigned inside);

/* A unit of time, in which `server` or NO_SERVER had the processor. Then new budgets begin; returns
 * a bit for each server that got a budget. */
void servers_charge(const struct taskset *set, struct state *state, unsigned server);
unsigned servers_replenish(const struct taskset *set, struct state *state);

#endif
