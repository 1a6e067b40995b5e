/* SPDX-License-Identifier: MIT */
#ifndef PLF_CLOCK_H
#define PLF_CLOCK_H

/* The time, and a moment of it. */
#include <stdint.h>
#include <time.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline uint64_t plf_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Let a word that another CPU is about to write come. */
static inline void plf_relax(void)
{
#ifdef __x86_64__
	__asm__ volatile("pause" ::: "memory");
#else
	__asm__ volatile("yield" ::: "memory");
#endif
}

#endif
