/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* Reading and writing. A fortified program calls the functions named _chk. */
#include "../../module/plafond_device.h"
#include "../claims.h"
#include "../commit.h"
#include "interpose.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t __read_chk(int fd, void *buffer, size_t size, size_t buffer_size);
ssize_t __pread_chk(int fd, void *buffer, size_t size, off_t offset, size_t buffer_size);
ssize_t __pread64_chk(int fd, void *buffer, size_t size, off64_t offset, size_t buffer_size);

PLF_WAIT3(ssize_t, read, int, void *, size_t);
PLF_WAIT4(ssize_t, __read_chk, int, void *, size_t, size_t);
PLF_WAIT3(ssize_t, write, int, const void *, size_t);
PLF_WAIT3(ssize_t, readv, int, const struct iovec *, int);
PLF_WAIT3(ssize_t, writev, int, const struct iovec *, int);

PLF_WAIT4(ssize_t, pread, int, void *, size_t, off_t);
PLF_WAIT4(ssize_t, pread64, int, void *, size_t, off64_t);
PLF_WAIT5(ssize_t, __pread_chk, int, void *, size_t, off_t, size_t);
PLF_WAIT5(ssize_t, __pread64_chk, int, void *, size_t, off64_t, size_t);
PLF_WAIT4(ssize_t, pwrite, int, const void *, size_t, off_t);
PLF_WAIT4(ssize_t, pwrite64, int, const void *, size_t, off64_t);
PLF_WAIT4(ssize_t, preadv, int, const struct iovec *, int, off_t);
PLF_WAIT4(ssize_t, preadv64, int, const struct iovec *, int, off64_t);
PLF_WAIT4(ssize_t, pwritev, int, const struct iovec *, int, off_t);
PLF_WAIT4(ssize_t, pwritev64, int, const struct iovec *, int, off64_t);
PLF_WAIT5(ssize_t, preadv2, int, const struct iovec *, int, off_t, int);
PLF_WAIT5(ssize_t, preadv64v2, int, const struct iovec *, int, off64_t, int);
PLF_WAIT5(ssize_t, pwritev2, int, const struct iovec *, int, off_t, int);
PLF_WAIT5(ssize_t, pwritev64v2, int, const struct iovec *, int, off64_t, int);

PLF_WAIT6(ssize_t, splice, int, off64_t *, int, off64_t *, size_t, unsigned);
PLF_WAIT4(ssize_t, vmsplice, int, const struct iovec *, size_t, unsigned);
PLF_WAIT4(ssize_t, tee, int, int, size_t, unsigned);
PLF_WAIT4(ssize_t, sendfile, int, int, off_t *, size_t);
PLF_WAIT4(ssize_t, sendfile64, int, int, off64_t *, size_t);

PLF_WAIT2(int, eventfd_read, int, eventfd_t *);
PLF_WAIT2(int, eventfd_write, int, eventfd_t);

PLF_EXPORT int ioctl(int fd, unsigned long request, ...)
{
	void *argument = PLF_OPTIONAL_ARGUMENT(request);

	if (request == PLF_IOC_REGISTER) {
		if (plf_me.claims != 0)
			plf_commit(PLF_SCHEDULING_CALL);
		plf_claims_make_way();
	}
	PLF_SLEEPS;
	return PLF_LIBC(ioctl)(fd, request, argument);
}
