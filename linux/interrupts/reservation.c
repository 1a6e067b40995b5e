/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "reservation.h"

#include "../machine/say.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* List the CPUs that a thread may use, such as "0". */
static void list_cpus(pid_t tid, char *list, size_t bytes)
{
	size_t length = 0;
	cpu_set_t cpus;

	list[0] = '\0';
	if (sched_getaffinity(tid, sizeof(cpus), &cpus) != 0)
		return;
	for (size_t cpu = 0; cpu < CPU_SETSIZE && length < bytes; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			length += (size_t)snprintf(list + length, bytes - length, "%s%zu",
						   length > 0 ? "," : "", cpu);
}

/* Explain EPERM, although this process may set every schedule. */
static void say_affinity(const struct thread *thread)
{
	char cpus[256];

	list_cpus(thread->tid, cpus, sizeof(cpus));
	refuse("%s (TID %d) may use CPU %s alone, and the kernel gives a reservation only to a "
	       "thread "
	       "that may use all CPUs which it balances together: allow them (taskset -pc 0-%ld "
	       "%d), "
	       "or put the thread into a partition of CPU %s (cgroup v2: cpuset.cpus.partition), "
	       "or "
	       "switch the kernel's admission off (sysctl kernel.sched_rt_runtime_us=-1)",
	       thread->name, thread->tid, cpus, sysconf(_SC_NPROCESSORS_ONLN) - 1, thread->tid,
	       cpus);
}

static void say_refusal(const struct thread *thread, int error)
{
	if (error == EPERM)
		say_affinity(thread);
	else if (error == EBUSY)
		refuse("%s (TID %d): all reservations together would exceed the share that the "
		       "kernel "
		       "gives: sched_rt_runtime_us of sched_rt_period_us, for each CPU",
		       thread->name, thread->tid);
	else if (error == ESRCH)
		refuse("%s (TID %d) ended before it had its reservation", thread->name,
		       thread->tid);
	else
		refuse("%s (TID %d): the kernel refuses the reservation: %s", thread->name,
		       thread->tid, strerror(error));
}

static bool is_same_thread(const struct thread *before, struct thread *now)
{
	return read_thread(before->pid, before->tid, now) && now->started == before->started;
}

bool reserve(const struct reservations *reservations)
{
	for (size_t i = 0; i < reservations->count; i++) {
		const struct reservation *each = &reservations->each[i];
		struct schedule wanted = reservation_of(each->budget_ns, each->period_ns);
		struct thread now;
		int error = is_same_thread(&each->thread, &now)
				    ? set_schedule(each->thread.tid, &wanted)
				    : ESRCH;

		if (error != 0) {
			say_refusal(&each->thread, error);
			return false;
		}
	}
	return true;
}

static bool restore_one(const struct reservation *reservation)
{
	const struct schedule ours = reservation_of(reservation->budget_ns, reservation->period_ns);
	const struct thread *before = &reservation->thread;
	struct thread now;
	int error;

	if (!is_same_thread(before, &now)) {
		fail("%s (TID %d) has ended meanwhile", before->name, before->tid);
		return true;
	}
	if (is_same_schedule(&now.schedule, &before->schedule))
		return true;
	if (!is_same_schedule(&now.schedule, &ours)) {
		fail("%s (TID %d) was changed by another program to SCHED_%s: it stays so",
		     before->name, before->tid, policy_name(now.schedule.policy));
		return true;
	}
	error = set_schedule(before->tid, &before->schedule);
	if (error == 0 || error == ESRCH)
		return true;
	fail("%s (TID %d) keeps its reservation: %s", before->name, before->tid, strerror(error));
	return false;
}

bool restore(const void *argument)
{
	const struct reservations *reservations = argument;
	bool is_restored = true;

	for (size_t i = 0; i < reservations->count; i++)
		is_restored &= restore_one(&reservations->each[i]);
	return is_restored;
}
