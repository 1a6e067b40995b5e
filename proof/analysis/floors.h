/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_FLOORS_H
#define ANALYSIS_FLOORS_H

/* The bookkeeping of the protocols under EDF, in the `floors` of a task; see model.h. */
#include "model.h"

/* Urgency of the task's deadline, or of an earlier deadline from a floor; larger is more urgent. */
unsigned floors_urgency(const struct taskset *set, enum protocol protocol,
			const struct state *state, unsigned task);

/* Under STACK: the ready tasks that have begun their jobs, and the ready tasks that may run. */
unsigned floors_begun(const struct taskset *set, const struct state *state, unsigned ready);
unsigned floors_admitted(const struct taskset *set, const struct state *state, unsigned ready);

/* Under LAZY_FLOOR: a task arrives while another runs. */
void floors_arrival(const struct taskset *set, struct state *state, unsigned running,
		    unsigned arriving);

/* A task has left a resource. Its step is behind the unlock, so it holds only the resources that
 * are still open. */
void floors_leave(const struct taskset *set, enum protocol protocol, struct state *state,
		  unsigned task, unsigned resource);

/* A unit of time passes for all tasks with pending jobs. */
void floors_age(const struct taskset *set, enum protocol protocol, struct state *state);

#endif
