/* SPDX-License-Identifier: MIT */
/*
 * syscall(), ioctl() and fcntl() for this library itself: not those that it interposes, and good
 * before the C library's can be looked up. The linker puts them there (--wrap).
 */
#include "enter_kernel.h" /* of this processor */
#include "system_call.h"

#include <errno.h>
#include <sys/syscall.h>

enum { ERRORS = 4096 }; /* results from -4095 on are errno values */

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

/* Here it only makes a second number of a file. */
int __wrap_fcntl(int fd, int command, int argument)
{
	return (int)__wrap_syscall(SYS_fcntl, fd, command, argument);
}
