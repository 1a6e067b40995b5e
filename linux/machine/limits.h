/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_LIMITS_H
#define MACHINE_LIMITS_H

/* Threads that shall become SCHED_DEADLINE, and whether the kernel allows that. */
#include "threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reservation {
	struct thread thread; /* as it is before the reservation */
	uint64_t budget_ns;
	uint64_t period_ns;
};

struct reservations {
	size_t count;
	struct reservation *each;
};

/*
 * Check requests that the kernel would refuse, or should refuse. A budget must be at least 1,024 ns
 * and at most its period. The period must be in the kernel's range. No thread may come twice, or
 * have a reservation already. The user needs the privilege.
 *
 * If the kernel's own admission is off (sched_rt_runtime_us = -1), reservations must not exceed all
 * CPUs, or a single CPU for threads that are pinned to it. False: a message on stderr says which
 * value was found and which is expected.
 */
__attribute__((warn_unused_result)) bool are_within_limits(const struct reservations *reservations);

#endif
