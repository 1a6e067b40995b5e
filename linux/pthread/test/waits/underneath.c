/* SPDX-License-Identifier: MIT */
/*
 * Preloaded behind the drop-in, which takes it for the C library: a device that is as slow as a
 * test wants. Each call on a file lasts until a byte comes out of the file, and returns 1.
 *
 * Its constructor runs before the drop-in's, and waits by the drop-in's calls.
 */
#include "underneath.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>

long __read(int fd, void *buffer, size_t size); /* libc's: the drop-in has no such function */
long read(int fd, void *buffer, size_t size);
long syscall(long number, ...);

int early_waits;

static long ready(int fd)
{
	char byte;

	return __read(fd, &byte, 1);
}

#define SLOW(name) long name(int fd) __attribute__((alias("ready")))

SLOW(pread);
SLOW(pread64);
SLOW(__pread_chk);
SLOW(__pread64_chk);
SLOW(pwrite);
SLOW(pwrite64);
SLOW(preadv);
SLOW(preadv64);
SLOW(pwritev);
SLOW(pwritev64);
SLOW(fsync);
SLOW(fdatasync);
SLOW(tcdrain);

/* The memory to be written contains the file. */
long msync(const int *fd)
{
	return ready(*fd);
}

long ioctl(int fd, unsigned long request, void *argument)
{
	return request == SLOW_REQUEST ? ready(fd) : syscall(SYS_ioctl, fd, request, argument);
}

__attribute__((constructor)) static void wait_early(void)
{
	const struct timespec moment = { .tv_nsec = 1 };

	early_waits += nanosleep(&moment, NULL) == 0;
	early_waits += poll(NULL, 0, 0) == 0;
	early_waits += read(-1, NULL, 0) == -1 && errno == EBADF;
}
