/* SPDX-License-Identifier: MIT */
#include "locked_memory.h"

#include <stdio.h>
#include <string.h>

/*
 * In /proc/self/smaps, a line "from-to perms offset device inode name" opens each mapping. The line
 * "VmFlags:" closes it, and shows "lo" if the mapping is locked. The kernel's own pages ([vdso],
 * [vvar], [vsyscall]) can neither be locked nor paged out.
 */
static bool must_be_locked(const char *line)
{
	unsigned long from, to;
	char perms[5];

	if (sscanf(line, "%lx-%lx %4s", &from, &to, perms) != 3)
		return false;
	return (perms[1] == 'w' || perms[2] == 'x') && strstr(line, "[v") == NULL;
}

static bool opens_mapping(const char *line)
{
	unsigned long from, to;

	return sscanf(line, "%lx-%lx ", &from, &to) == 2;
}

bool plf_memory_is_locked(void)
{
	FILE *smaps = fopen("/proc/self/smaps", "re");
	char line[512];
	bool asked = false;
	bool locked = true;

	if (smaps == NULL)
		return false;
	while (locked && fgets(line, sizeof(line), smaps) != NULL) {
		if (opens_mapping(line))
			asked = must_be_locked(line);
		else if (asked && strncmp(line, "VmFlags:", 8) == 0)
			locked = strstr(line, " lo") != NULL;
	}
	fclose(smaps);
	return locked;
}
