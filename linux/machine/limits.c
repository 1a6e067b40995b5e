/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "limits.h"

#include "host.h"
#include "say.h"

#include <inttypes.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* The kernel's limit, which it does not show. */
enum { LEAST_BUDGET_NS = 1024 };
enum { NS_PER_US = 1000, WHOLE_CPU = 1000000000 };

static uint64_t read_limit_ns(const char *path, uint64_t otherwise_us)
{
	FILE *file = fopen(path, "re");
	uint64_t found_us = otherwise_us;

	if (file == NULL)
		return otherwise_us * NS_PER_US;
	if (fscanf(file, "%" SCNu64, &found_us) != 1)
		found_us = otherwise_us;
	fclose(file);
	return found_us * NS_PER_US;
}

static bool is_possible(const struct reservation *reservation)
{
	const char *name = reservation->thread.name;
	uint64_t least_ns = read_limit_ns("/proc/sys/kernel/sched_deadline_period_min_us", 100);
	uint64_t most_ns = read_limit_ns("/proc/sys/kernel/sched_deadline_period_max_us", 1 << 22);

	if (reservation->budget_ns < LEAST_BUDGET_NS ||
	    reservation->budget_ns > reservation->period_ns)
		refuse("%s: found a budget of %" PRIu64
		       " ns; expected %d ns to the period, %" PRIu64 " ns",
		       name, reservation->budget_ns, LEAST_BUDGET_NS, reservation->period_ns);
	else if (reservation->period_ns < least_ns || reservation->period_ns > most_ns)
		refuse("%s: found a period of %" PRIu64 " ns; expected %" PRIu64 " to %" PRIu64
		       " ns (sched_deadline_period_min_us and sched_deadline_period_max_us)",
		       name, reservation->period_ns, least_ns, most_ns);
	else if (reservation->thread.schedule.policy == POLICY_DEADLINE)
		refuse("%s (TID %d) has a reservation already, of %" PRIu64 " ns in %" PRIu64 " ns",
		       name, reservation->thread.tid, reservation->thread.schedule.budget_ns,
		       reservation->thread.schedule.period_ns);
	else
		return true;
	return false;
}

static bool are_different(const struct reservations *reservations)
{
	for (size_t i = 0; i < reservations->count; i++)
		for (size_t j = 0; j < i; j++)
			if (reservations->each[i].thread.tid == reservations->each[j].thread.tid) {
				refuse("found %s (TID %d) twice; expected each thread once",
				       reservations->each[i].thread.name,
				       reservations->each[i].thread.tid);
				return false;
			}
	return true;
}

/* The kernel also answers EPERM if the affinity is wrong. So check the privilege first. */
static bool has_privilege(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	uint64_t capabilities = 0;
	char line[256];

	if (file == NULL)
		return true; /* leave the answer to the kernel */
	while (fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "CapEff: %" SCNx64, &capabilities) == 1)
			break;
	fclose(file);
	if ((capabilities >> CAP_SYS_NICE & 1) != 0)
		return true;
	refuse("a reservation is denied to this user: grant CAP_SYS_NICE, or run it as root");
	return false;
}

static uint64_t share_of(uint64_t budget_ns, uint64_t period_ns)
{
	return (uint64_t)((double)budget_ns / (double)period_ns * WHOLE_CPU);
}

/* Sums of budget / period, in parts of WHOLE_CPU. */
struct shares {
	int cpus;
	uint64_t all;
	uint64_t *pinned; /* by the number of the CPU, below CPU_SETSIZE */
};

static void add_share(struct shares *shares, pid_t tid, uint64_t budget_ns, uint64_t period_ns)
{
	uint64_t share = share_of(budget_ns, period_ns);
	cpu_set_t cpus;

	shares->all += share;
	if (sched_getaffinity(tid, sizeof(cpus), &cpus) != 0 || CPU_COUNT(&cpus) != 1)
		return;
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			shares->pinned[cpu] += share;
}

static void add_reserved(const struct thread *thread, void *argument)
{
	if (thread->schedule.policy == POLICY_DEADLINE && thread->schedule.period_ns > 0)
		add_share(argument, thread->tid, thread->schedule.budget_ns,
			  thread->schedule.period_ns);
}

static bool are_shares_possible(const struct shares *shares)
{
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (shares->pinned[cpu] > WHOLE_CPU) {
			refuse("found reservations of %.1f %% of CPU %zu for threads that may use "
			       "no "
			       "other; expected at most 100 %%: the kernel does not refuse more "
			       "(sched_rt_runtime_us is -1)",
			       (double)shares->pinned[cpu] / WHOLE_CPU * 100, cpu);
			return false;
		}
	if (shares->all <= (uint64_t)shares->cpus * WHOLE_CPU)
		return true;
	refuse("found reservations of %.1f %% of a CPU in all; expected at most %d %%, as there "
	       "are %d "
	       "CPUs: the kernel does not refuse more (sched_rt_runtime_us is -1)",
	       (double)shares->all / WHOLE_CPU * 100, shares->cpus * 100, shares->cpus);
	return false;
}

/* Do the requested reservations fit beside the existing reservations? */
static bool fits_into_cpus(const struct reservations *reservations)
{
	uint64_t pinned[CPU_SETSIZE] = { 0 };
	struct shares shares = { .cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), .pinned = pinned };
	int64_t runtime_us, period_us;

	if (!priority_limit(&runtime_us, &period_us) || runtime_us >= 0)
		return true; /* the kernel refuses more */
	each_thread(add_reserved, &shares);
	for (size_t i = 0; i < reservations->count; i++)
		add_share(&shares, reservations->each[i].thread.tid,
			  reservations->each[i].budget_ns, reservations->each[i].period_ns);
	return are_shares_possible(&shares);
}

bool are_within_limits(const struct reservations *reservations)
{
	for (size_t i = 0; i < reservations->count; i++)
		if (!is_possible(&reservations->each[i]))
			return false;
	return are_different(reservations) && has_privilege() && fits_into_cpus(reservations);
}
