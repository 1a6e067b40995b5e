/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static int open_mounted(void)
{
	int root = open("/sys/kernel/tracing", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs status;

	if (root < 0 || (fstatfs(root, &status) == 0 && status.f_type == TRACEFS_MAGIC))
		return root;
	close(root);
	return -1;
}

/* System calls, because the C library has these functions only since 2.36. */
static int open_unmounted(void)
{
	int context = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC);
	int root = -1;
	int error;

	if (context < 0)
		return -1;
	if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		root = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	error = errno;
	close(context);
	errno = error;
	return root;
}

int find_tracefs(void)
{
	int root = open_mounted();

	return root >= 0 ? root : open_unmounted();
}
