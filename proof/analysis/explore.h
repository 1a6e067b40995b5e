/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_EXPLORE_H
#define ANALYSIS_EXPLORE_H

/* All that can happen to a task set, and the longest response time of each task in it. */
#include "model.h"
#include "visited.h"

enum verdict {
	EXPLORED,
	LEFT_OUT_STATES,  /* more states than there is room for */
	LEFT_OUT_PENDING, /* more pending jobs than a state has room for */
	DEADLOCK,
	UNBOUNDED, /* a job that can stay pending for ever */
	LATE,	   /* under EDF: a job can miss its deadline; nothing is followed beyond */
	ENDED,	   /* a section that may not end within its budget; as above */
};

struct exploration {
	enum verdict verdict;
	unsigned states;
	unsigned cut; /* a bit for each server: see simulate.c */
	unsigned response[MAX_TASKS];
};

struct exploration explore(const struct taskset *set, enum protocol protocol,
			   struct visited *visited);

#endif
