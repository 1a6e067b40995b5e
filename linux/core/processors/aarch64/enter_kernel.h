/* SPDX-License-Identifier: MIT */
#ifndef PLF_ENTER_KERNEL_H
#define PLF_ENTER_KERNEL_H

/* A system call of AArch64, with six arguments. Results from -4095 to -1 are errors. */
static inline long plf_enter_kernel(long number, const long *argument)
{
	register long which __asm__("x8") = number;
	register long first __asm__("x0") = argument[0];
	register long second __asm__("x1") = argument[1];
	register long third __asm__("x2") = argument[2];
	register long fourth __asm__("x3") = argument[3];
	register long fifth __asm__("x4") = argument[4];
	register long sixth __asm__("x5") = argument[5];

	__asm__ volatile("svc	#0"
			 : "+r"(first)
			 : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "memory");
	return first;
}

#endif
