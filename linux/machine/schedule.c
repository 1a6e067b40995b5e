/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "schedule.h"

#include <errno.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { POLICY_EXT = 7, RESET_ON_FORK = 1 };

int read_schedule(pid_t tid, struct schedule *schedule)
{
	*schedule = (struct schedule) { 0 };
	return syscall(SYS_sched_getattr, tid, schedule, sizeof(*schedule), 0) == 0 ? 0 : errno;
}

int set_schedule(pid_t tid, const struct schedule *schedule)
{
	return syscall(SYS_sched_setattr, tid, schedule, 0) == 0 ? 0 : errno;
}

/*
 * Set RESET_ON_FORK, because otherwise the kernel lets a thread with a reservation start no thread.
 */
struct schedule reservation_of(uint64_t budget_ns, uint64_t period_ns)
{
	return (struct schedule) {
		.bytes = sizeof(struct schedule),
		.policy = POLICY_DEADLINE,
		.flags = RESET_ON_FORK,
		.budget_ns = budget_ns,
		.deadline_ns = period_ns,
		.period_ns = period_ns,
	};
}

bool is_same_schedule(const struct schedule *one, const struct schedule *other)
{
	if (one->policy != other->policy || one->flags != other->flags ||
	    one->nice != other->nice || one->priority != other->priority)
		return false;
	return one->policy != POLICY_DEADLINE ||
	       (one->budget_ns == other->budget_ns && one->deadline_ns == other->deadline_ns &&
		one->period_ns == other->period_ns);
}

const char *policy_name(uint32_t policy)
{
	static const char *const names[] = {
		[SCHED_OTHER] = "OTHER", [SCHED_FIFO] = "FIFO", [SCHED_RR] = "RR",
		[SCHED_BATCH] = "BATCH", [SCHED_IDLE] = "IDLE", [POLICY_DEADLINE] = "DEADLINE",
		[POLICY_EXT] = "EXT",
	};

	if (policy >= sizeof(names) / sizeof(names[0]) || names[policy] == NULL)
		return "?";
	return names[policy];
}
