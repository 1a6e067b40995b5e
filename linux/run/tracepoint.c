/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tracepoint.h"

#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing"

static int read_id(const char *path)
{
	FILE *file = fopen(path, "re");
	int id;

	if (file == NULL)
		return -1;
	if (fscanf(file, "%d", &id) != 1)
		id = -1;
	fclose(file);
	return id;
}

static int find_id(void)
{
	int id = read_id(TRACING "/events/raw_syscalls/sys_enter/id");

	return id >= 0 ? id : read_id("/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id");
}

static int mount_and_find(void)
{
	if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("tracefs", TRACING, "tracefs", 0, NULL) != 0)
		return -1;
	return find_id();
}

/* In mounts of its own, which end with the child: the system stays as it is. */
static int find_in_child(void)
{
	int ends[2];
	int id = -1;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	child = fork();
	if (child == 0) {
		id = mount_and_find();
		_exit(write(ends[1], &id, sizeof(id)) != sizeof(id));
	}
	close(ends[1]);
	if (read(ends[0], &id, sizeof(id)) != sizeof(id))
		id = -1;
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	return id;
}

int sys_enter_tracepoint(void)
{
	int id = find_id();

	return id >= 0 ? id : find_in_child();
}
