/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "reservation.h"

#include "../machine/limits.h"
#include "../machine/say.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say_refusal(const struct reservation *wanted, int cpu, int error)
{
	const char *name = wanted->thread.name;

	if (error == EPERM) /* although the privilege was checked: see limits.h */
		refuse("%s: its thread is pinned to CPU %d, and the kernel gives a reservation "
		       "only to a thread that may use all CPUs which it balances together: run it "
		       "on a machine of one CPU (plafond run --on vm), or make a partition of CPU "
		       "%d and run it in there (cgroup v2: cpuset.cpus.partition), or switch the "
		       "kernel's admission off (sysctl kernel.sched_rt_runtime_us=-1)",
		       name, cpu, cpu);
	else if (error == EBUSY)
		refuse("%s: found a reservation of %" PRIu64 " ns in %" PRIu64 " ns; expected "
		       "less: with the others that there are it exceeds the share of CPU %d that "
		       "the kernel gives, sched_rt_runtime_us of sched_rt_period_us",
		       name, wanted->budget_ns, wanted->period_ns, cpu);
	else
		refuse("%s: the kernel refuses the reservation: %s", name, strerror(error));
}

bool reserve_for_task(const char *name, int cpu, int64_t period_ns, int64_t budget_ns)
{
	struct reservation wanted = {
		.period_ns = (uint64_t)period_ns,
		.budget_ns = (uint64_t)budget_ns,
	};
	const struct reservations all = { .count = 1, .each = &wanted };
	struct schedule schedule = reservation_of(wanted.budget_ns, wanted.period_ns);
	int error;

	if (!read_thread(getpid(), gettid(), &wanted.thread)) {
		refuse("task %s: its thread cannot be read in /proc", name);
		return false;
	}
	snprintf(wanted.thread.name, sizeof(wanted.thread.name), "task %s", name);
	if (!are_within_limits(&all))
		return false;
	error = set_schedule(wanted.thread.tid, &schedule);
	if (error != 0)
		say_refusal(&wanted, cpu, error);
	return error == 0;
}
