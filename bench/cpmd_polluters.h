/* SPDX-License-Identifier: MIT */
#ifndef BENCH_CPMD_POLLUTERS_H
#define BENCH_CPMD_POLLUTERS_H

/*
 * Best-effort processes, one on each CPU that may be used, which go through an array that no cache
 * holds and write each line of it. They end with the process that started them.
 */
#include <stddef.h>
#include <sys/types.h>

struct polluters;

/*
 * Start them, each with an array of its own, and wait until each has gone through it once. The
 * caller is SCHED_OTHER. NULL and an errno value: some could not be started; none is left.
 */
struct polluters *start_polluters(size_t array_bytes);

/* A line each, `polluter CPU passes`: the CPU on which its last pass ended. */
void print_polluters(const struct polluters *polluters);

/* The caller is SCHED_OTHER. */
void end_polluters(struct polluters *polluters);

#endif
