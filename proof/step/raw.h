/* SPDX-License-Identifier: MIT */
#ifndef STEP_RAW_H
#define STEP_RAW_H

/*
 * System calls without the C library. Its code may have a breakpoint, which the harness must not
 * hit.
 */
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

static inline long raw_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline void raw_wake(uint32_t *word)
{
	raw_syscall(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/* Returns 0 or minus an errno value. */
static inline long raw_wait(uint32_t *word, uint32_t value)
{
	return raw_syscall(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, (long)value, 0, 0, 0);
}

static inline long raw_wait_at_most(uint32_t *word, uint32_t value, long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	return raw_syscall(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, (long)value, (long)&time, 0,
			   0);
}

static inline void raw_nap(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	raw_syscall(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
}

#endif
