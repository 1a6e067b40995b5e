/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_TYPES_H
#define PLF_PORT_TYPES_H

#include <stdint.h>

/*
 * The registers of a task that are not loaded, and its constants. offsets.h has
 * the offsets for vectors.S.
 */
struct plf_context {
	uint64_t x[31];
	uint64_t pc;
	uint64_t sp;
	uint32_t spsr;	    /* as the processor saved it: user mode, whatever the task does */
	uint32_t kind;	    /* of the saved registers: PLF_SAVED_... */
	uint64_t tpidr;	    /* TPIDR_EL0 */
	uint64_t ttbr0;	    /* its translation table and ASID */
	uint64_t returned;  /* x30 of its entry function */
	uint64_t entry;	    /* where an activation begins, */
	uint64_t stack_top; /* and its stack pointer then */
};

#endif
