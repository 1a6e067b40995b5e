/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cpu.h"

#include <errno.h>
#include <sched.h>

int plf_pinned_cpu(void)
{
	int saved = errno;
	cpu_set_t set;
	int cpu = -1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) == 1)
		for (cpu = 0; !CPU_ISSET((size_t)cpu, &set); cpu++)
			;
	errno = saved;
	return cpu;
}
