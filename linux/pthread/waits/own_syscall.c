/* SPDX-License-Identifier: MIT */
/*
 * syscall(), ioctl() and fcntl() for this library itself. They bypass the interposed functions, and
 * work before the C library's can be looked up. The linker puts them in place (--wrap).
 */
#include "enter_kernel.h" /* of this processor */
#include "system_call.h"

#include <errno.h>
#include <sys/syscall.h>

enum { ERRORS = 4096 }; /* results from -4095 to -1 are errno values */

long __wrap_syscall(long number, ...);
int __wrap_ioctl(int fd, unsigned long request, void *argument);
int __wrap_fcntl(int fd, int command, int argument);

long __wrap_syscall(long number, ...)
{
	const struct plf_system_call call = PLF_SYSTEM_CALL(number);
	long result = plf_enter_kernel(call.number, call.argument);

	if ((unsigned long)result <= -(unsigned long)ERRORS)
		return result;
	errno = (int)-result;
	return -1;
}

int __wrap_ioctl(int fd, unsigned long request, void *argument)
{
	return (int)__wrap_syscall(SYS_ioctl, fd, request, argument);
}

/* The library uses fcntl() only to duplicate a descriptor. */
int __wrap_fcntl(int fd, int command, int argument)
{
	return (int)__wrap_syscall(SYS_fcntl, fd, command, argument);
}
