/* SPDX-License-Identifier: MIT */
#ifndef PLF_SYSTEM_H
#define PLF_SYSTEM_H

/*
 * The configuration of the two cores, as `plafond build` would write it. Each core has four tasks.
 * L begins with the system. X has events and M has two activations, at the same level. H is urgent.
 * The number in a name is the core's. All tasks use RES_SCHEDULER, and each core has its own.
 */
#include "globals.h"

#define PLF_CPUS	  2
#define PLF_TASKS	  8
#define PLF_ACTIVATIONS	  10
#define PLF_RESOURCES	  1
#define PLF_SERVERS	  0
#define PLF_OF_SERVERS	  0
#define PLF_COUNTERS	  0
#define PLF_ALARMS	  0
#define PLF_ISRS	  0
#define PLF_ISR_RESOURCES 0
#define PLF_CATEGORY_1	  0
#define PLF_NESTING	  0
#define PLF_EVENTS	  1
#define PLF_CALLBACKS	  0
#define PLF_INCREMENTS	  0
#define PLF_RINGS	  1
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

#define PLF_STARTUP_HOOK	 1
#define PLF_SHUTDOWN_HOOK	 0
#define PLF_ERROR_HOOK		 0
#define PLF_SYSTEM_ERROR_HOOK	 0
#define PLF_APPLICATION_HOOKS	 0
#define PLF_COM_ERROR_HOOK	 0
#define PLF_PRETASK_HOOK	 0
#define PLF_POSTTASK_HOOK	 0
#define PLF_PROTECTION_HOOK	 0
#define PLF_TRACE		 0
#define PLF_CONSOLE		 0
#define PLF_MODES		 0
#define PLF_ERROR_PARAMETERS	 0
#define PLF_MULTIPLE_ACTIVATIONS 1
#define PLF_INTERNAL_RESOURCES	 0

#define PLF_CEILINGS                                                                               \
	{                                                                                          \
		3                                                                                  \
	}

#define PLF_RESOURCE_CORES                                                                         \
	{                                                                                          \
		3                                                                                  \
	}

enum { H0, H1, X0, X1, M0, M1, L0, L1 };

#endif
