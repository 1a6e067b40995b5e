/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "others.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void read_name(int tid, char name[PLF_THREAD_NAME])
{
	char path[48], line[PLF_THREAD_NAME + 1];
	long length;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	length = syscall(SYS_read, fd, line, sizeof(line));
	syscall(SYS_close, fd);
	if (length <= 0)
		return;
	line[length - 1] = '\0'; /* instead of the end of the line */
	memcpy(name, line, PLF_THREAD_NAME);
}

void plf_other_name(int tid, char name[PLF_THREAD_NAME])
{
	int saved = errno;

	read_name(tid, name);
	errno = saved;
}

static int cpu_of(int tid)
{
	cpu_set_t set;
	int cpu = 0;

	CPU_ZERO(&set);
	if (syscall(SYS_sched_getaffinity, tid, sizeof(set), &set) < 0 || CPU_COUNT(&set) != 1)
		return -1;
	while (!CPU_ISSET((size_t)cpu, &set))
		cpu++;
	return cpu;
}

void plf_other_identity(int tid, struct plf_identity *identity)
{
	struct sched_param param = { .sched_priority = 0 };
	int saved = errno;
	long policy = syscall(SYS_sched_getscheduler, tid);

	syscall(SYS_sched_getparam, tid, &param);
	*identity = (struct plf_identity) {
		.start = { .module = "unknown" },
		.policy = policy < 0 ? SCHED_OTHER : (int)policy & ~SCHED_RESET_ON_FORK,
		.priority = param.sched_priority,
		.cpu = cpu_of(tid),
	};
	read_name(tid, identity->name);
	errno = saved;
}
