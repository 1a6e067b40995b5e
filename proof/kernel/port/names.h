/* SPDX-License-Identifier: MIT */
#ifndef PROOF_NAMES_H
#define PROOF_NAMES_H

/*
 * The configuration that the sweep's actors run in, as `plafond build` would write it, but for
 * what depends on the scheduler. The number in a name says how urgent it is: there are tasks
 * below, at, between and above the resources, and resources of the same urgency.
 *
 * T2I has an internal resource (at 4; fixed priorities only), T2N uses nothing beyond 5, E4 owns
 * an event, and M4 has two activations. Where there are servers, they are two.
 */
#define PLF_CPUS	1
#define PLF_TASKS	12
#define PLF_ACTIVATIONS 13
#define PLF_RESOURCES	5
#define PLF_GLOBALS	0
#define PLF_BY_CORE	0
#define PLF_SERVERS	PROOF_SERVERS
#define PLF_COUNTERS	0
#define PLF_ALARMS	0
#define PLF_ISRS	0
#define PLF_EVENTS	1

#define PLF_EXTENDED_STATUS	 PROOF_EXTENDED
#define PLF_STARTUP_HOOK	 0
#define PLF_SHUTDOWN_HOOK	 0
#define PLF_ERROR_HOOK		 0
#define PLF_PRETASK_HOOK	 0
#define PLF_POSTTASK_HOOK	 0
#define PLF_PROTECTION_HOOK	 0
#define PLF_TRACE		 0
#define PLF_ARRIVALS		 0
#define PLF_CONSOLE		 0
#define PLF_MULTIPLE_ACTIVATIONS 1

enum { T8, T7, T6, T5, T4, E4, M4, T3, T2, T2I, T2N, T1 };
enum { R3, R5, R7, R5B, R5C };

/* Which server pays for a task: of each there are less urgent ones, and more urgent ones. */
#define PAYER_OF(task)                                                                             \
	(PLF_SERVERS && ((task) == T8 || (task) == T6 || (task) == E4 || (task) == T3))

#endif
