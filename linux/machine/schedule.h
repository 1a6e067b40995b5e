/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_SCHEDULE_H
#define MACHINE_SCHEDULE_H

/* How the kernel schedules a thread. The C library has no calls for SCHED_DEADLINE. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { POLICY_DEADLINE = 6 };

/* The first version of the kernel's struct sched_attr. */
struct schedule {
	uint32_t bytes;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;  /* SCHED_FIFO and SCHED_RR: 1 to 99; larger is more urgent */
	uint64_t budget_ns; /* SCHED_DEADLINE; of SCHED_OTHER the length of a turn */
	uint64_t deadline_ns;
	uint64_t period_ns;
};

/* 0 or an errno value. */
int read_schedule(pid_t tid, struct schedule *schedule);

/* 0 or an errno value. */
int set_schedule(pid_t tid, const struct schedule *schedule);

/* A reservation of `budget_ns` in each `period_ns`. Threads that the thread forks are ordinary. */
struct schedule reservation_of(uint64_t budget_ns, uint64_t period_ns);

/* Compare all but the length of a turn of SCHED_OTHER, because the kernel may set it. */
bool is_same_schedule(const struct schedule *one, const struct schedule *other);

/* "FIFO", "OTHER", ...; "?" for a policy that is not known here. */
const char *policy_name(uint32_t policy);

#endif
