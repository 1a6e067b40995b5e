/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_CORE_H
#define PLF_PORT_CORE_H

#include "core.h"
#include "offsets.h"

/*
 * The port's part of each core. On every entry from user mode SP_EL1 points to `link`, and the
 * kernel's stack grows from there. SP_EL0 belongs to the task, and the kernel never runs on it.
 */
struct plf_port_core {
	uint8_t guard[PLF_KERNEL_GUARD]; /* not mapped */
	uint8_t stack[PLF_KERNEL_STACK];
	uint64_t link;		    /* x30 of the task, during a system call */
	uint64_t zero[2];	    /* always zero: an instruction clears two registers from here */
	void (*const *doors)(void); /* plf_doors */
	struct plf_core *core;
	struct plf_task *loaded; /* the task whose registers the processor has, or PLF_NO_TASK */
	uint64_t scratch[2];
} __attribute__((aligned(PLF_KERNEL_GUARD)));

#define PLF_NO_TASK ((struct plf_task *)((uintptr_t)1 << PLF_NO_TASK_BIT))

extern struct plf_port_core plf_port_cores[PLF_CPUS];

static inline struct plf_port_core *plf_this_port_core(void)
{
	enum { BELOW_TOP = PLF_KERNEL_GUARD + PLF_KERNEL_STACK };

	return PLF_CPUS == 1 ? &plf_port_cores[0]
			     : (struct plf_port_core *)(plf_port_top() - BELOW_TOP);
}

#endif
