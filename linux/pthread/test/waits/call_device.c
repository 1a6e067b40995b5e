/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* These calls last as long as the slow device of underneath.c. */
#include "call.h"
#include "pipes.h"
#include "stage.h"
#include "underneath.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <termios.h>
#include <unistd.h>

ssize_t __pread_chk(int fd, void *data, size_t size, off_t offset, size_t data_size);
ssize_t __pread64_chk(int fd, void *data, size_t size, off64_t offset, size_t data_size);

static struct iovec byte = { buffer, 1 };

CALL(pread, empty_pipe, POINT, 1, 0, pread(empty[0], buffer, 1, 0));
CALL(pread64, empty_pipe, POINT, 1, 0, pread64(empty[0], buffer, 1, 0));
CALL(__pread_chk, empty_pipe, POINT, 1, 0, __pread_chk(empty[0], buffer, 1, 0, FULL));
CALL(__pread64_chk, empty_pipe, POINT, 1, 0, __pread64_chk(empty[0], buffer, 1, 0, FULL));
CALL(pwrite, empty_pipe, POINT, 1, 0, pwrite(empty[0], buffer, 1, 0));
CALL(pwrite64, empty_pipe, POINT, 1, 0, pwrite64(empty[0], buffer, 1, 0));
CALL(preadv, empty_pipe, MAY_BE, 1, 0, preadv(empty[0], &byte, 1, 0));
CALL(preadv64, empty_pipe, MAY_BE, 1, 0, preadv64(empty[0], &byte, 1, 0));
CALL(pwritev, empty_pipe, MAY_BE, 1, 0, pwritev(empty[0], &byte, 1, 0));
CALL(pwritev64, empty_pipe, MAY_BE, 1, 0, pwritev64(empty[0], &byte, 1, 0));

CALL(fsync, empty_pipe, POINT, 1, 0, fsync(empty[0]));
CALL(fdatasync, empty_pipe, POINT, 1, 0, fdatasync(empty[0]));
CALL(msync, empty_pipe, POINT, 1, 0, msync(empty, sizeof(empty), MS_SYNC));
CALL(tcdrain, empty_pipe, POINT, 1, 0, tcdrain(empty[0]));
CALL(ioctl, empty_pipe, MAY_BE, 1, 0, ioctl(empty[0], SLOW_REQUEST, buffer));
