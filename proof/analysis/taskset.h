/* SPDX-License-Identifier: MIT */
#ifndef ANALYSIS_TASKSET_H
#define ANALYSIS_TASKSET_H

/* A small task set, as text:
 *
 *	set NAME
 *	costs INTERRUPT ACTIVATION SWITCH PAIR PREEMPTED DISTURBED STEP TICKS	if there are any
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
 *	word USERS		that one holds; of resources with more, CPUs are in line
 *	resource CEILING
 *	task PRIORITY INTERVAL CPU STEP...
 *	end
 *
 * or, with either scheduler, without costs, on a processor that up to 3 servers share (2 under
 *EDF), the most urgent first, or slots of one period:
 *
 *	set NAME
 *	aligned			if all arrivals fall on multiples of the period
 *	server KIND PERIOD BUDGET START POLICY HOLD
 *	resource CEILING
 *	task PRIORITY INTERVAL SERVER STEP...
 *	end
 *
 * KIND is idling, polling, deferrable or slot, and START that of a slot. The first server is 0.
 * POLICY is what a server does about resources with users in several servers, with fixed priorities
 * only: none, overrun, overrun-payback or skip; and HOLD the longest hold. The ceilings of these
 * are computed, whatever their lines say.
 * A PRIORITY of P/T has the threshold T, under ceilings, without servers and other processors: only
 * a priority above T preempts a job that has begun.
 * An INTERVAL of I+J has a release jitter of J, without servers; then under EDF DEADLINE counts
 * from the release, and with J it is I at most.
 * Costs are in units; see model.h. TICKS is the interval of ticks of one unit, 0: there are none.
 * A step is rN (run N units), rL-N (run L to N units; under EDF any run may end sooner), sN (sleep
 *N units), lR or uR (lock or unlock resource R).
 */
#include <stdbool.h>
#include <stdio.h>

#define MAX_TASKS	4
#define MAX_EDF_TASKS	3
#define MAX_RESOURCES	4
#define MAX_STEPS	14
#define MAX_INTERVAL	15
#define MAX_DEADLINE	15
#define MAX_FLOORS	3 /* resources under EDF */
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

enum step_kind { RUN = 'r', SLEEP = 's', LOCK = 'l', UNLOCK = 'u' };

struct step {
	enum step_kind kind;
	unsigned value; /* a duration, at most, or a resource */
	unsigned least; /* a duration, at least */
};

struct task {
	unsigned priority;
	unsigned threshold; /* the priority, or more */
	unsigned deadline;
	unsigned interval;
	unsigned jitter; /* a release comes up to so long after its arrival */
	unsigned cpu;	 /* or its server, if there are some */
	unsigned steps;
	struct step step[MAX_STEPS];
	unsigned held[MAX_STEPS + 1]; /* a bit for each resource held before the step */
};

/* What the kernel's work takes. */
struct costs {
	unsigned interrupt, activation, switching, pair, preempted, disturbed;
	unsigned step;	/* by which each run lasts longer: 0 or 1 */
	unsigned ticks; /* their interval */
};

enum server_kind { IDLING, POLLING, DEFERRABLE, SLOT };

enum policy { SHARES_NOTHING, OVERRUN, OVERRUN_PAYBACK, SKIP };

struct server {
	enum server_kind kind;
	unsigned period, budget;
	unsigned start; /* of a slot */
	enum policy policy;
	unsigned hold;
	unsigned users[MAX_RESOURCES]; /* the highest priority of its users; 0: there are none */
	unsigned highest;	       /* of its tasks */
};

struct taskset {
	char name[MAX_NAME];
	bool is_edf;	/* it has deadlines and floors, and no priorities and ceilings */
	bool is_across; /* its tasks have processors */
	bool has_thresholds;
	bool is_aligned; /* arrivals fall on the begins of periods */
	unsigned servers;
	struct server server[MAX_SERVERS];
	unsigned cpus;
	unsigned word; /* the users that one holds; 0: any number */
	unsigned resources;
	unsigned users[MAX_RESOURCES]; /* a bit each */
	unsigned ceiling[MAX_RESOURCES];
	unsigned floor[MAX_RESOURCES];
	unsigned global; /* a bit for each resource with users on several processors */
	unsigned shared; /* a bit for each resource with users in several servers */
	unsigned level[MAX_RESOURCES]; /* the highest ceiling of global ones it is locked inside */
	struct costs costs;
	unsigned tasks;
	struct task task[MAX_TASKS];
};

/* False at the end of the input; exits with status 2 and a line for what is no task set. */
bool taskset_read(struct taskset *set, FILE *input);

#endif
