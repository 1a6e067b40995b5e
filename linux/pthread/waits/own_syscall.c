/* SPDX-License-Identifier: MIT */
/*
 * syscall(), ioctl() and fcntl() for this library itself: not those that it interposes, and good
 * before the C library's can be looked up. The linker puts them there (--wrap).
 */
#include "system_call.h"

#include <errno.h>
#include <sys/syscall.h>

enum { ERRORS = 4096 }; /* results from -4095 on are errno values */

long __wrap_syscall(long number, ...);
int __wrap_ioctl(int fd, unsigned long request, void *argument);
int __wrap_fcntl(int fd, int command, int argument);

#if defined(__x86_64__)

static long enter_kernel(const struct plf_system_call *call)
{
	const long *a = call->argument;
	register long fourth __asm__("r10") = a[3];
	register long fifth __asm__("r8") = a[4];
	register long sixth __asm__("r9") = a[5];
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(call->number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth),
			   "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
}

#else
#error "plafond's drop-in: add this processor's system call here"
#endif

long __wrap_syscall(long number, ...)
{
	const struct plf_system_call call = PLF_SYSTEM_CALL(number);
	long result = enter_kernel(&call);

	if ((unsigned long)result <= -(unsigned long)ERRORS)
		return result;
	errno = (int)-result;
	return -1;
}

int __wrap_ioctl(int fd, unsigned long request, void *argument)
{
	return (int)__wrap_syscall(SYS_ioctl, fd, request, argument);
}

/* Here it only makes a second number of a file. */
int __wrap_fcntl(int fd, int command, int argument)
{
	return (int)__wrap_syscall(SYS_fcntl, fd, command, argument);
}
