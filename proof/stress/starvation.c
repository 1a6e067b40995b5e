/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "starvation.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static uint64_t executed_by(pid_t process)
{
	struct timespec time = { 0, 0 };
	clockid_t clock;

	if (clock_getcpuclockid(process, &clock) == 0)
		clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

/* In stat, the letter of the state stands behind the name. */
static bool is_ready(pid_t process, const char *tid)
{
	char path[300], text[128];
	const char *name_end;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/stat", process, tid);
	file = fopen(path, "r");
	if (file == NULL) /* it has ended */
		return false;
	name_end = fgets(text, sizeof(text), file) == NULL ? NULL : strrchr(text, ')');
	fclose(file);
	return name_end != NULL && name_end[2] == 'R';
}

static bool has_a_ready_thread(pid_t process)
{
	struct dirent *entry;
	bool found = false;
	char path[64];
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", process);
	tasks = opendir(path);
	if (tasks == NULL)
		return false;
	while (!found && (entry = readdir(tasks)) != NULL)
		found = entry->d_name[0] != '.' && is_ready(process, entry->d_name);
	closedir(tasks);
	return found;
}

bool is_starved(pid_t process, uint64_t period_ns, uint64_t *executed_ns)
{
	uint64_t before = *executed_ns;

	*executed_ns = executed_by(process);
	return *executed_ns - before < period_ns / 10 && has_a_ready_thread(process);
}
