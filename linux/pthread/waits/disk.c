/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Waits until a device has the written data. */
#include "interpose.h"

#include <aio.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

PLF_WAIT1(int, fsync, int);
PLF_WAIT1(int, fdatasync, int);
PLF_WAIT3(int, msync, void *, size_t, int);
PLF_WAIT1(int, tcdrain, int);
PLF_WAIT3(int, aio_suspend, const struct aiocb *const *, int, const struct timespec *);
PLF_WAIT3(int, aio_suspend64, const struct aiocb64 *const *, int, const struct timespec *);
