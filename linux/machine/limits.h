/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_LIMITS_H
#define MACHINE_LIMITS_H

/* Threads that are to be under SCHED_DEADLINE, and whether the kernel can have them so. */
#include "threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reservation {
	struct thread thread; /* as it was before */
	uint64_t budget_ns;
	uint64_t period_ns;
};

struct reservations {
	size_t count;
	struct reservation *each;
};

/*
 * What the kernel would refuse, or should: a budget below 1,024 ns or above its period, a period
 * out of the kernel's range, a thread twice, a thread that has a reservation already, no privilege
 * for them. Where the kernel's own admission is off (sched_rt_runtime_us = -1) also more than all
 * CPUs in reservations, and more than one CPU for threads that are pinned to it. False: this said
 * what was found and what is expected.
 */
__attribute__((warn_unused_result)) bool are_within_limits(const struct reservations *reservations);

#endif
