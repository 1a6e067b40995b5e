/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLOCK_H
#define PLF_CLOCK_H

/* The clock, and until when a call may wait. */
#include <stdint.h>
#include <time.h>

enum { PLF_NS_PER_S = 1000000000 };

/* CLOCK_MONOTONIC in nanoseconds. */
static inline uint64_t plf_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * PLF_NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * Until when a call may wait: one of these two values, or nanoseconds of CLOCK_MONOTONIC. If the
 * call has to wait and that time is over, it returns ETIMEDOUT.
 */
#define PLF_NOT_AT_ALL	UINT64_C(0) /* return EBUSY instead */
#define PLF_WITHOUT_END UINT64_MAX

/* Such a time in the kernel's form. */
static inline struct timespec plf_timespec(uint64_t time_ns)
{
	return (struct timespec) { .tv_sec = (time_t)(time_ns / PLF_NS_PER_S),
				   .tv_nsec = (long)(time_ns % PLF_NS_PER_S) };
}

/* The same moment of CLOCK_REALTIME. It is wrong if that clock is set meanwhile. */
static inline struct timespec plf_on_realtime(const struct timespec *time)
{
	struct timespec monotonic, realtime;
	long long ns;

	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	clock_gettime(CLOCK_REALTIME, &realtime);
	ns = (long long)realtime.tv_nsec + time->tv_nsec - monotonic.tv_nsec;
	realtime.tv_sec += time->tv_sec - monotonic.tv_sec;
	while (ns < 0 || ns >= PLF_NS_PER_S) {
		realtime.tv_sec += ns < 0 ? -1 : 1;
		ns += ns < 0 ? PLF_NS_PER_S : -PLF_NS_PER_S;
	}
	realtime.tv_nsec = (long)ns;
	return realtime;
}

/* Pause in a loop that waits for another CPU to write a word. */
static inline void plf_relax(void)
{
#ifdef __x86_64__
	__asm__ volatile("pause" ::: "memory");
#else
	__asm__ volatile("yield" ::: "memory");
#endif
}

#endif
