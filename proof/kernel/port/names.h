/* SPDX-License-Identifier: MIT */
#ifndef PROOF_NAMES_H
#define PROOF_NAMES_H

/*
 * The configuration of the sweep's actors, as `plafond build` would write it, except for the
 * scheduler's part. The number in a name is the urgency. There are tasks below, at, between and
 * above the resources, and resources of the same urgency.
 *
 * T2I has an internal resource (at 4; fixed priorities only). T2N uses nothing above 5. E4 owns an
 * event. M4 has two activations. There may be two or four servers. If servers share resources
 * (PROOF_SHARING) and there are two, both use R3 and R5. If there are four, each except the last
 * shares a resource with a less urgent server.
 */
#define PLF_CPUS	  1
#define PLF_TASKS	  12
#define PLF_ACTIVATIONS	  13
#define PLF_RESOURCES	  5
#define PLF_GLOBALS	  0
#define PLF_BY_CORE	  0
#define PLF_SERVERS	  PROOF_SERVERS
#define PLF_OF_SERVERS	  (!PROOF_SHARING ? 0 : PLF_SERVERS == 2 ? 3 : 7)
#define PLF_COUNTERS	  0
#define PLF_ALARMS	  0
#define PLF_ISRS	  0
#define PLF_ISR_RESOURCES 0
#define PLF_CATEGORY_1	  0
#define PLF_NESTING	  0
#define PLF_EVENTS	  1
#define PLF_CALLBACKS	  0
#define PLF_INCREMENTS	  0
#define PLF_MESSAGES	  0
#define PLF_APPLICATIONS  0
#define PLF_TERMINATION	  0
#define PLF_BUDGETS	  0
#define PLF_LOCK_BUDGETS  0
#define PLF_TIME_FRAMES	  0

#define PLF_RESOURCE_LOCKS 0

#define PLF_TRUSTED_FUNCTIONS	0
#define PLF_PROTECTED_FUNCTIONS 0
#define PLF_DOMAINS		PLF_TASKS

#define PLF_SCHEDULE_TABLES 0
#define PLF_EXPLICIT_TABLES 0

#define PLF_EXTENDED_STATUS	 PROOF_EXTENDED
#define PLF_STARTUP_HOOK	 0
#define PLF_SHUTDOWN_HOOK	 0
#define PLF_ERROR_HOOK		 0
#define PLF_SYSTEM_ERROR_HOOK	 0
#define PLF_APPLICATION_HOOKS	 0
#define PLF_COM_ERROR_HOOK	 0
#define PLF_PRETASK_HOOK	 0
#define PLF_POSTTASK_HOOK	 0
#define PLF_PROTECTION_HOOK	 PROOF_SHARING
#define PLF_TRACE		 0
#define PLF_ARRIVALS		 0
#define PLF_CONSOLE		 0
#define PLF_MODES		 0
#define PLF_ERROR_PARAMETERS	 0
#define PLF_MULTIPLE_ACTIVATIONS 1

enum { T8, T7, T6, T5, T4, E4, M4, T3, T2, T2I, T2N, T1 };
enum { R3, R5, R7, R5B, R5C };

/* The server that pays for a task. Each of two servers has less urgent and more urgent tasks. */
#define PAYER_OF_TWO(task) ((task) == T8 || (task) == T6 || (task) == E4 || (task) == T3)
#define PAYER_OF_FOUR(task)                                                                        \
	((task) <= T7 ? 0 : (task) == T5 ? 1 : (task) == T6 || (task) > M4 ? 3 : 2)
#define PAYER_OF(task)                                                                             \
	(!PLF_SERVERS ? 0 : PLF_SERVERS == 2 ? PAYER_OF_TWO(task) : PAYER_OF_FOUR(task))

#endif
