/* SPDX-License-Identifier: MIT */
#ifndef PLF_OFFSETS_H
#define PLF_OFFSETS_H

/* The layout of the structures of C, for vectors.S: port.c checks each. */
#include "system.h"

/* struct plf_core, struct plf_task */
#define PLF_CORE_RUNNING 0
#define PLF_TASK_CONTEXT 0

/* struct plf_context */
#define PLF_CONTEXT_X	  0
#define PLF_CONTEXT_PC	  248 /* and sp */
#define PLF_CONTEXT_SPSR  264 /* and kind, tpidr */
#define PLF_CONTEXT_TTBR0 280 /* and returned */
#define PLF_CONTEXT_ENTRY 296 /* and stack_top */

/*
 * Which registers a context holds. Bits of one double word with spsr, so that PLF_SAVED_CALL, the
 * one that must be quick, costs nothing to write.
 */
#define PLF_SAVED_CALL	0 /* x0, x1 (the answer) and x19 to x30: a system call keeps no others */
#define PLF_SAVED_NONE	1 /* begins an activation */
#define PLF_SAVED_ALL	2 /* an interrupt came in between any two instructions */
#define PLF_SAVED_SHIFT 32

/* struct plf_port_core: the stack, and above it, at SP_EL1, what the exits need. */
#define PLF_KERNEL_GUARD 4096
#define PLF_KERNEL_STACK 8192
#define PLF_TOP_LINK	 0  /* and a zero */
#define PLF_TOP_ZEROS	 8  /* two zeros */
#define PLF_TOP_DOORS	 24 /* and core */
#define PLF_TOP_CORE	 32 /* and loaded */
#define PLF_TOP_LOADED	 40
#define PLF_TOP_SCRATCH	 48 /* two */
#define PLF_PORT_CORE	 16384

/* os_calls.h, os_types.h */
#if PLF_GLOBALS
#define PLF_CALLS_BEFORE_SERVERS (36 + PLF_CONSOLE)
#elif PLF_CPUS > 1
#define PLF_CALLS_BEFORE_SERVERS (33 + PLF_CONSOLE)
#else
#define PLF_CALLS_BEFORE_SERVERS (30 + PLF_CONSOLE)
#endif
#if PLF_OF_SERVERS
#define PLF_CALLS_BEFORE_COUNTERS (PLF_CALLS_BEFORE_SERVERS + 2)
#elif PLF_SERVERS
#define PLF_CALLS_BEFORE_COUNTERS (PLF_CALLS_BEFORE_SERVERS + 1)
#else
#define PLF_CALLS_BEFORE_COUNTERS PLF_CALLS_BEFORE_SERVERS
#endif
#if PLF_COUNTERS
#define PLF_CALLS_BEFORE_TABLES (PLF_CALLS_BEFORE_COUNTERS + 2)
#else
#define PLF_CALLS_BEFORE_TABLES PLF_CALLS_BEFORE_COUNTERS
#endif
#if PLF_SCHEDULE_TABLES
#define PLF_CALLS_BEFORE_APPLICATIONS (PLF_CALLS_BEFORE_TABLES + 8)
#else
#define PLF_CALLS_BEFORE_APPLICATIONS PLF_CALLS_BEFORE_TABLES
#endif
#if PLF_TERMINATION
#define PLF_CALLS_BEFORE_FUNCTIONS (PLF_CALLS_BEFORE_APPLICATIONS + 6)
#elif PLF_APPLICATIONS
#define PLF_CALLS_BEFORE_FUNCTIONS (PLF_CALLS_BEFORE_APPLICATIONS + 3)
#else
#define PLF_CALLS_BEFORE_FUNCTIONS PLF_CALLS_BEFORE_APPLICATIONS
#endif
#if PLF_TRUSTED_FUNCTIONS
#define PLF_CALLS_BEFORE_MESSAGES (PLF_CALLS_BEFORE_FUNCTIONS + 3)
#else
#define PLF_CALLS_BEFORE_MESSAGES PLF_CALLS_BEFORE_FUNCTIONS
#endif
#if PLF_MESSAGES
#define PLF_CALL_COUNT (PLF_CALLS_BEFORE_MESSAGES + 8)
#else
#define PLF_CALL_COUNT PLF_CALLS_BEFORE_MESSAGES
#endif
#define PLF_STATUS_SERVICEID 9

/* In `loaded`: no task's are. Not NULL, for that is `running` when no task is to be loaded. */
#define PLF_NO_TASK_BIT 0

/* For the message of a trap in the kernel. */
#define PLF_LAST_STACK 1024

#endif
