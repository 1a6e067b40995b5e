/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_CLOCK_H
#define MACHINE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S  INT64_C(1000000000)

static inline int64_t nanoseconds(struct timespec time)
{
	return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

static inline struct timespec timespec_of(int64_t ns)
{
	return (struct timespec) { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S };
}

/* CLOCK_MONOTONIC, which is read without a system call. */
static inline int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return nanoseconds(time);
}

#endif
