/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_FLOORS_H
#define ANALYSIS_FLOORS_H

/* What the protocols under EDF keep of a task, in its `floors`; see model.h. */
#include "model.h"

/* How urgent the deadline of a task is, its own or an earlier one: larger is more. */
unsigned floors_urgency(const struct taskset *set, enum protocol protocol,
			const struct state *state, unsigned task);

/* Under STACK, those of the ready tasks that have begun their jobs, and those that may run. */
unsigned floors_begun(const struct taskset *set, const struct state *state, unsigned ready);
unsigned floors_admitted(const struct taskset *set, const struct state *state, unsigned ready);

/* Under LAZY_FLOOR a task arrives while another runs. */
void floors_arrival(const struct taskset *set, struct state *state, unsigned running,
		    unsigned arriving);

/* A task has left a resource; it holds what is open behind the unlock. */
void floors_leave(const struct taskset *set, enum protocol protocol, struct state *state,
		  unsigned task, unsigned resource);

/* One unit of time passes for all that are pending. */
void floors_age(const struct taskset *set, enum protocol protocol, struct state *state);

#endif
