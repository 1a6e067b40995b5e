/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_HOST_H
#define MACHINE_HOST_H

/* Facts about the machine. */
#include <stdbool.h>
#include <stdint.h>

/* The time that a hypervisor took from the CPU since the machine started; -1 where it cannot be
 * read. */
int64_t steal_ns(int cpu);

/* How long SCHED_FIFO threads may run (-1: always) in each period. False: there is no limit to
 * read. */
__attribute__((warn_unused_result)) bool priority_limit(int64_t *runtime_us, int64_t *period_us);

#endif
