/* SPDX-License-Identifier: MIT */
#ifndef PLF_MODE_OF_PORT_H
#define PLF_MODE_OF_PORT_H

/*
 * For files that run in both modes. User mode cannot read its exception level, but the stack
 * pointer shows it. The stacks of the kernel are kernel data, which lies above the stacks of all
 * tasks (link.ld.j2). A task may set its stack pointer there, but then it calls the kernel in user
 * mode, which is a fault.
 */
#include <stdbool.h>
#include <stdint.h>

extern char plf_kernel_data[]; /* of link.ld */

static inline bool plf_is_in_kernel(void)
{
	uintptr_t stack;

	__asm__("mov %0, sp" : "=r"(stack));
	return stack > (uintptr_t)plf_kernel_data; /* an empty stack of the last task ends there */
}

#endif
