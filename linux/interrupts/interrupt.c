/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "interrupt.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool has_action(const char *interrupts, const char *number, const char *action)
{
	char path[PATH_MAX];
	struct stat status;

	snprintf(path, sizeof(path), "%s/%s/%s", interrupts, number, action);
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool has_interrupt(const char *interrupts, const char *name)
{
	const char *number = name + strlen("irq/");
	const char *dash = strchr(number, '-');
	const struct dirent *entry;
	bool found = false;
	size_t length;
	DIR *folder;

	if (dash == NULL || dash[1] == '\0')
		return false;
	folder = opendir(interrupts);
	if (folder == NULL)
		return false;
	length = (size_t)(dash - number);
	while (!found && (entry = readdir(folder)) != NULL)
		found = entry->d_name[0] != '.' &&
			(number[0] == '*' || (strlen(entry->d_name) == length &&
					      strncmp(entry->d_name, number, length) == 0)) &&
			has_action(interrupts, entry->d_name, dash + 1);
	closedir(folder);
	return found;
}
