/* SPDX-License-Identifier: MIT */

/*
 * The functions of the C library that the library calls, because the image has none, and its
 * mutexes across CPUs, which no scenario has. A sweep only ever calls futex, which the model
 * answers. Any other call ends the run.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum { MARK_ABORT = 99 };

static __thread int error_number;

int *__errno_location(void)
{
	return &error_number;
}

long syscall(long number, ...)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0");
	register long x1 __asm__("x1");
	register long x2 __asm__("x2");
	register long x3 __asm__("x3");
	register long x4 __asm__("x4");
	register long x5 __asm__("x5");
	va_list list;

	va_start(list, number);
	x0 = va_arg(list, long);
	x1 = va_arg(list, long);
	x2 = va_arg(list, long);
	x3 = va_arg(list, long);
	x4 = va_arg(list, long);
	x5 = va_arg(list, long);
	va_end(list);
	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory", "cc");
	if (x0 < 0) {
		error_number = (int)-x0;
		return -1;
	}
	return x0;
}

/* volatile, because the compiler would turn the loop into a call of this function. */
void *memset(void *to, int value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((volatile unsigned char *)to)[i] = (unsigned char)value;
	return to;
}

void *memcpy(void *to, const void *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
	return to;
}

static long refuse(void)
{
	__asm__ volatile("svc %0" ::"i"(MARK_ABORT));
	return -1;
}

#define REFUSED(name)                                                                              \
	long name(void)                                                                            \
	{                                                                                          \
		return refuse();                                                                   \
	}

REFUSED(pthread_mutex_lock)
REFUSED(pthread_mutex_trylock)
REFUSED(pthread_mutex_unlock)
REFUSED(pthread_sigmask)
REFUSED(sigdelset)
REFUSED(sigfillset)
REFUSED(mmap)
REFUSED(mprotect)
REFUSED(munmap)
REFUSED(clock_gettime)
REFUSED(clock_nanosleep)
REFUSED(__getauxval)
REFUSED(sched_setscheduler)
REFUSED(plf_global_lock)
REFUSED(plf_global_unlock)
