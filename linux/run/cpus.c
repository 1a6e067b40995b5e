/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cpus.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

bool cpu_is_allowed(int cpu)
{
	cpu_set_t set;

	if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof(set), &set) != 0)
		return false;
	return CPU_ISSET((size_t)cpu, &set);
}

static int last_of_range(int first)
{
	while (cpu_is_allowed(first + 1))
		first++;
	return first;
}

void allowed_cpus(char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int cpu = 0; cpu < CPU_SETSIZE && used < size; cpu++) {
		int last = last_of_range(cpu);

		if (!cpu_is_allowed(cpu))
			continue;
		used += (size_t)snprintf(text + used, size - used, used == 0 ? "%d" : ",%d", cpu);
		if (last > cpu && used < size)
			used += (size_t)snprintf(text + used, size - used, "-%d", last);
		cpu = last;
	}
}

int pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	return pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
}
