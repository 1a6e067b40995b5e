/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "lock_calls.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CALLER = 0, ANY_CPU = -1, NO_GROUP = -1 };

static const char *why_not(int error)
{
	if (error == EACCES || error == EPERM)
		return "needs CAP_PERFMON";
	return strerror(error);
}

static int set_filter(int counter)
{
	char filter[128];

	snprintf(filter, sizeof(filter), "id == %d || id == %d || id == %d || id == %d || id == %d",
		 SYS_futex, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,
		 SYS_ioctl);
	return ioctl(counter, PERF_EVENT_IOC_SET_FILTER, filter);
}

int lock_calls_open(int tracepoint, struct line *reason)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = (unsigned)tracepoint,
		.disabled = 1,
	};
	int counter;

	if (tracepoint < 0) {
		write_line(reason, "not counted: no tracepoint raw_syscalls:sys_enter: needs a "
				   "readable tracefs, or root");
		return -1;
	}
	counter = (int)syscall(SYS_perf_event_open, &attr, CALLER, ANY_CPU, NO_GROUP,
			       PERF_FLAG_FD_CLOEXEC);
	if (counter >= 0 && set_filter(counter) == 0)
		return counter;
	write_line(reason, "not counted: %s", why_not(errno));
	if (counter >= 0)
		close(counter);
	return -1;
}

void lock_calls_start(int counter)
{
	if (counter >= 0)
		ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
}

int64_t lock_calls_read(int counter)
{
	uint64_t count;

	if (counter < 0 || read(counter, &count, sizeof(count)) != sizeof(count))
		return -1;
	return (int64_t)count;
}
