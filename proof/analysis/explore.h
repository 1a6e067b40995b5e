/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_EXPLORE_H
#define ANALYSIS_EXPLORE_H

/* Explores all that can happen to a task set, and finds the longest response of each task. */
#include "model.h"
#include "visited.h"

enum verdict {
	EXPLORED,
	LEFT_OUT_STATES,  /* more states than the limit */
	LEFT_OUT_PENDING, /* more pending jobs than a state can hold */
	DEADLOCK,
	UNBOUNDED, /* a job can stay pending for ever */
	LATE,	   /* EDF: a job can miss its deadline; the exploration stops there */
	ENDED,	   /* a section may not end within the budget; the exploration stops there */
};

struct exploration {
	enum verdict verdict;
	unsigned states;
	unsigned cut; /* a bit for each server: see simulate.c */
	unsigned response[MAX_TASKS];
	unsigned end_to_end; /* the longest time from an arrival of the chain to the end of its jobs
			      */
};

struct exploration explore(const struct taskset *set, enum protocol protocol,
			   struct visited *visited);

#endif
