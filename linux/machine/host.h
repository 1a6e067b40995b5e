/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_HOST_H
#define MACHINE_HOST_H

/* Facts about the machine. */
#include <stdbool.h>
#include <stdint.h>

/* The time that a hypervisor took from the CPU since the machine started; -1: it cannot be read. */
int64_t steal_ns(int cpu);

/*
 * How long SCHED_FIFO threads may run in each period (-1: always). False: the kernel shows no
 * limit.
 */
__attribute__((warn_unused_result)) bool priority_limit(int64_t *runtime_us, int64_t *period_us);

#endif
