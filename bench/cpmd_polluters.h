/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CPMD_POLLUTERS_H
#define BENCH_CPMD_POLLUTERS_H

/*
 * Best-effort processes, a process on each CPU that may be used. Each writes every line of an array
 * that is larger than the caches. They end with the process that started them.
 */
#include <stddef.h>
#include <sys/types.h>

struct polluters;

/*
 * Start the processes, each with a separate array, and wait until each has gone through it once.
 * The caller must be SCHED_OTHER. NULL and an errno value: a process could not be started, and none
 * is left.
 */
struct polluters *start_polluters(size_t array_bytes);

/* Print a line for each, `polluter CPU passes`: the CPU on which its last pass ended. */
void print_polluters(const struct polluters *polluters);

/* The caller must be SCHED_OTHER. */
void end_polluters(struct polluters *polluters);

#endif
