/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_TASKSET_H
#define ANALYSIS_TASKSET_H

/* A small task set, as text:
 *
 *	set NAME
 *	costs INTERRUPT ACTIVATION SWITCH PAIR PREEMPTED DISTURBED STEP TICKS	optional
 *	resource CEILING	the first is resource 0
 *	task PRIORITY INTERVAL STEP...
 *	end
 *
 * or, for EDF, at most 3 tasks with relative deadlines, each up to two intervals:
 *
 *	edf NAME
 *	resource FLOOR
 *	task DEADLINE INTERVAL STEP...
 *	end
 *
 * or, for up to 3 processors, without costs:
 *
 *	across NAME
 *	word USERS		optional: users that a word holds; see mpcp in model.h
 *	resource CEILING
 *	task PRIORITY INTERVAL CPU STEP...
 *	end
 *
 * or, without costs, for a processor that servers or slots of one period share, the most urgent
 * first. There are up to 3 servers, or 2 under EDF:
 *
 *	set NAME
 *	aligned			optional
 *	server KIND PERIOD BUDGET START POLICY HOLD
 *	resource CEILING
 *	task PRIORITY INTERVAL SERVER STEP...
 *	end
 *
 * - aligned: all arrivals fall on multiples of the period.
 * - KIND is idling, polling, deferrable or slot. START is the start of a slot, or 0. Servers are
 *   numbered from 0.
 * - POLICY is for resources with users in several servers, with fixed priorities only: none,
 *   overrun, overrun-payback or skip. HOLD is the longest hold. The ceilings of these resources are
 *   computed, and their lines are ignored.
 * - A PRIORITY of P/T has the threshold T: only a priority above T preempts a job that has begun.
 *   Thresholds need ceilings, one processor and no servers.
 * - An INTERVAL of I+J has a release jitter of J, without servers. Under EDF, DEADLINE then counts
 *   from the release, and DEADLINE + J is at most I.
 * - An INTERVAL of I@O has arrivals at O, O + I, O + 2I and so on. An INTERVAL of - has none:
 *another task activates the task. Both need fixed priorities on one processor, without servers and
 *costs.
 * - Costs are in units; see model.h. TICKS is the interval of ticks of one unit; 0 means no ticks.
 * - A step is rN (run N units), rL-N (run L to N units), sN (sleep N units), lR or uR (lock or
 *   unlock resource R), aT (activate task T, from 0). Under EDF any run may end sooner.
 */
#include <stdbool.h>
#include <stdio.h>

#define MAX_TASKS	4
#define MAX_EDF_TASKS	3
#define MAX_RESOURCES	4
#define MAX_STEPS	14
#define MAX_INTERVAL	15
#define MAX_DEADLINE	15
#define MAX_FLOORS	3 /* the most resources under EDF */
#define MAX_DURATION	3
#define MAX_NAME	32
#define MAX_COST	2
#define MAX_CPUS	3
#define MAX_WORK	15
#define MAX_SERVERS	3
#define MAX_EDF_SERVERS 2
#define NO_SERVER	MAX_SERVERS
#define MAX_PERIOD	15
#define MAX_BUDGET	7
#define MAX_HOLD	6

enum step_kind { RUN = 'r', SLEEP = 's', LOCK = 'l', UNLOCK = 'u', ACTIVATE = 'a' };

struct step {
	enum step_kind kind;
	unsigned value; /* the resource, the longest duration, or the activated task */
	unsigned least; /* the shortest duration */
};

struct task {
	unsigned priority;
	unsigned threshold; /* the priority, or more */
	unsigned deadline;
	unsigned interval; /* 0: no arrivals */
	bool is_fixed;	   /* arrives at its offset, and after each interval exactly */
	unsigned offset;
	unsigned jitter; /* the longest time from an arrival to its release */
	unsigned cpu;	 /* the server instead, if there are servers */
	unsigned steps;
	struct step step[MAX_STEPS];
	unsigned held[MAX_STEPS + 1]; /* a bit for each resource held before the step */
};

/* Units of the kernel's work. */
struct costs {
	unsigned interrupt, activation, switching, pair, preempted, disturbed;
	unsigned step;	/* 0 or 1: lengthens each run */
	unsigned ticks; /* the interval of ticks */
};

enum server_kind { IDLING, POLLING, DEFERRABLE, SLOT };

enum policy { SHARES_NOTHING, OVERRUN, OVERRUN_PAYBACK, SKIP };

struct server {
	enum server_kind kind;
	unsigned period, budget;
	unsigned start; /* of a slot, within its period */
	enum policy policy;
	unsigned hold;
	unsigned users[MAX_RESOURCES]; /* the highest priority of its users, or 0 */
	unsigned highest;	       /* the highest priority of its tasks */
};

struct taskset {
	char name[MAX_NAME];
	bool is_edf;	/* it has deadlines and floors instead of priorities and ceilings */
	bool is_across; /* each task has a processor */
	bool has_thresholds;
	bool is_aligned; /* arrivals fall on the begins of periods */
	unsigned servers;
	struct server server[MAX_SERVERS];
	unsigned cpus;
	unsigned word; /* users that a word holds; 0: any number */
	unsigned resources;
	unsigned users[MAX_RESOURCES]; /* a bit for each task */
	unsigned ceiling[MAX_RESOURCES];
	unsigned floor[MAX_RESOURCES];
	unsigned global; /* a bit for each resource with users on several processors */
	unsigned shared; /* a bit for each resource with users in several servers */
	unsigned level[MAX_RESOURCES]; /* the highest ceiling of the global resources around it, or
					  its ceiling if global */
	struct costs costs;
	unsigned chain; /* a bit for each task of the chain, whose tasks all end with activations;
			   0 without such a chain */
	unsigned first; /* the first task of the chain */
	unsigned tasks;
	struct task task[MAX_TASKS];
};

/* Returns false at the end of the input. If the text is no task set, prints a line and exits with
 * status 2. */
bool taskset_read(struct taskset *set, FILE *input);

#endif
