/* SPDX-License-Identifier: MIT */
#ifndef PLF_ENTER_KERNEL_H
#define PLF_ENTER_KERNEL_H

/* A system call of x86-64, with six arguments. Results from -4095 to -1 are errors. */
static inline long plf_enter_kernel(long number, const long *argument)
{
	register long fourth __asm__("r10") = argument[3];
	register long fifth __asm__("r8") = argument[4];
	register long sixth __asm__("r9") = argument[5];
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(argument[0]), "S"(argument[1]), "d"(argument[2]),
			   "r"(fourth), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
}

#endif
