/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits for locks on files. */
#include "interpose.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <unistd.h>

PLF_WAIT2(int, flock, int, int);
PLF_WAIT3(int, lockf, int, int, off_t);
PLF_WAIT3(int, lockf64, int, int, off64_t);

PLF_EXPORT int fcntl(int fd, int command, ...)
{
	void *argument = PLF_OPTIONAL_ARGUMENT(command);

	PLF_SLEEPS;
	return PLF_LIBC(fcntl)(fd, command, argument);
}

PLF_EXPORT int fcntl64(int fd, int command, ...)
{
	void *argument = PLF_OPTIONAL_ARGUMENT(command);

	PLF_SLEEPS;
	return PLF_LIBC(fcntl64)(fd, command, argument);
}
