/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_TYPES_H
#define PLF_PORT_TYPES_H

#include "offsets.h"

#include <stdint.h>

struct plf_domain; /* of domain.h */

/* SP_EL1 on entry from user mode: the address of `link` in the core's struct plf_port_core. */
static inline uintptr_t plf_port_top(void)
{
	uintptr_t top;

	__asm__("mrs %0, tpidr_el1" : "=r"(top));
	return top;
}

/* For images with several cores. */
static inline struct plf_core *plf_port_this_core(void)
{
	return *(struct plf_core *const *)(plf_port_top() + PLF_TOP_CORE);
}

/* The caller of a protected function. */
struct plf_frame {
	uint64_t pc;
	uint64_t sp;
	uint64_t tpidr;
	const struct plf_domain *domain; /* of the caller; NULL: the frame is no call */
};

/* The frames of a task. The first frame stands for no call. */
struct plf_calls {
	struct plf_frame *frame; /* end of the frames in use */
	const struct plf_domain *domain;
	struct plf_frame frames[1 + 8]; /* 1 + PLF_MOST_DEEP */
};

/*
 * The registers of a task while they are not loaded, and its constants. offsets.h has the offsets
 * for vectors.S.
 */
struct plf_context {
	uint64_t x[31];
	uint64_t pc;
	uint64_t sp;
	uint32_t spsr;	    /* as the processor saved it: user mode, whatever the task does */
	uint32_t kind;	    /* PLF_SAVED_...: the registers that are saved */
	uint64_t tpidr;	    /* TPIDR_EL0 */
	uint64_t ttbr0;	    /* its translation table and ASID */
	uint64_t returned;  /* return address (x30) of its entry function */
	uint64_t entry;	    /* where an activation begins, */
	uint64_t stack_top; /* and its stack pointer then */
	struct plf_calls calls[PLF_PROTECTED_FUNCTIONS ? 1 : 0];
};

#endif
