/* SPDX-License-Identifier: MIT */
#ifndef PLF_OFFSETS_H
#define PLF_OFFSETS_H

/* The layout of the structures of C, for vectors.S: port.c checks each offset. */
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
#define PLF_CONTEXT_FRAME 312 /* and domain: with PLF_PROTECTED_FUNCTIONS */

/* struct plf_domain. At its end each function has an entry, from 1 on. */
#define PLF_DOMAIN_TABLES   0  /* and stack_top */
#define PLF_DOMAIN_RETURNED 16 /* and a pad */
#define PLF_DOMAIN_ENTRIES  16 /* their start, less an entry of 16 bytes: the domain and the pc */
#define PLF_A_FRAME	    32

/*
 * Kinds of a context: the registers that are saved in it. The kind is in a double word with spsr,
 * so writing PLF_SAVED_CALL, which must be fast, costs nothing.
 */
#define PLF_SAVED_CALL	0 /* x0, x1 (the answer) and x19 to x30: a system call keeps no others */
#define PLF_SAVED_NONE	1 /* no registers: the task begins an activation */
#define PLF_SAVED_ALL	2 /* all registers: an interrupt came between two instructions */
#define PLF_SAVED_SHIFT 32

/* struct plf_port_core: the stack. Above it, at SP_EL1, are the words that the exits need. */
#define PLF_KERNEL_GUARD 4096
#define PLF_TOP_LINK	 0  /* and a zero */
#define PLF_TOP_ZEROS	 8  /* two zeros */
#define PLF_TOP_DOORS	 24 /* and core */
#define PLF_TOP_CORE	 32 /* and loaded */
#define PLF_TOP_LOADED	 40
#define PLF_TOP_SCRATCH	 48 /* two */
#define PLF_PORT_CORE	 (8192 + PLF_KERNEL_STACK)

/*
 * The stack has room for all routines that may be active, each with the kernel's work:
 * kernel/routine.h.
 */
#define PLF_A_ROUTINE 8192
#if PLF_NESTING && PLF_CATEGORY_1
#define PLF_KERNEL_STACK (PLF_A_ROUTINE * (PLF_NESTING + 1))
#elif PLF_NESTING
#define PLF_KERNEL_STACK (PLF_A_ROUTINE * PLF_NESTING)
#else
#define PLF_KERNEL_STACK PLF_A_ROUTINE
#endif

/* The frame of a routine that another routine has interrupted: x0 to x18, and x30. */
#define PLF_NESTED_FRAME 160

/* Bits of SPSR_EL1: the task holds back interrupts of category 2, and of category 1. */
#define PLF_SPSR_I 7
#define PLF_SPSR_F 6

/* os_types.h */
#define PLF_STATUS_SERVICEID 9

/*
 * Value of `loaded` if the processor has no task's registers. It is not NULL, because NULL in
 * `running` means that no task is to be loaded.
 */
#define PLF_NO_TASK_BIT 0

/* Size of the stack for the message of a trap in the kernel. */
#define PLF_LAST_STACK 1024

#endif
