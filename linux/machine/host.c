/* SPDX-License-Identifier: MIT */
#include "host.h"

#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* A line is "cpuN user nice system idle iowait irq softirq steal ...". */
int64_t steal_ns(int cpu)
{
	FILE *file = fopen("/proc/stat", "re");
	int64_t found = -1;
	char line[512];

	if (file == NULL)
		return -1;
	while (fgets(line, sizeof(line), file) != NULL) {
		int64_t ticks;
		int which;

		if (sscanf(line, "cpu%d %*d %*d %*d %*d %*d %*d %*d %" SCNd64, &which, &ticks) ==
			    2 &&
		    which == cpu)
			found = ticks * (NS_PER_S / sysconf(_SC_CLK_TCK));
	}
	fclose(file);
	return found;
}

static bool read_number(const char *path, int64_t *number)
{
	FILE *file = fopen(path, "re");
	bool is_read;

	if (file == NULL)
		return false;
	is_read = fscanf(file, "%" SCNd64, number) == 1;
	fclose(file);
	return is_read;
}

bool priority_limit(int64_t *runtime_us, int64_t *period_us)
{
	return read_number("/proc/sys/kernel/sched_rt_runtime_us", runtime_us) &&
	       read_number("/proc/sys/kernel/sched_rt_period_us", period_us);
}
