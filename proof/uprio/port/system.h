/* SPDX-License-Identifier: MIT */
#ifndef PLF_SYSTEM_H
#define PLF_SYSTEM_H

/*
 * The configuration that the sweep's actors run in, as `plafond build` would write it. There
 * are resources of the same and of other ceilings, and tasks below, at, between and above them.
 */
#define PLF_TASKS	       10
#define PLF_RESOURCES	       5
#define PLF_COUNTERS	       0
#define PLF_ALARMS	       0
#define PLF_ISRS	       0
#define PLF_EVENTS	       1
#define PLF_LEVELS	       9
#define PLF_INTERNAL_RESOURCES 1

#define PLF_EXTENDED_STATUS	 PROOF_EXTENDED
#define PLF_STARTUP_HOOK	 0
#define PLF_SHUTDOWN_HOOK	 0
#define PLF_ERROR_HOOK		 0
#define PLF_PRETASK_HOOK	 0
#define PLF_POSTTASK_HOOK	 0
#define PLF_PROTECTION_HOOK	 0
#define PLF_TRACE		 0
#define PLF_MULTIPLE_ACTIVATIONS 0

enum { T8, T7, T6, T5, T4, T3, T2, T2I, T2N, T1 };
enum { R3, R5, R7, R5B, R5C };

#define PLF_CEILINGS                                                                               \
	{                                                                                          \
		3, 5, 7, 5, 5                                                                      \
	}

#endif
