/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "memory.h"

#include "../machine/say.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *size_text(char text[SIZE_TEXT], size_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t unit = 0;

	for (; bytes >= 10 * 1024 && unit < 4; unit++)
		bytes = (bytes + 1023) / 1024;
	snprintf(text, SIZE_TEXT, "%zu %s", bytes, units[unit]);
	return text;
}

/*
 * The kernel's estimate of the memory that is available without swapping. If the kernel has none,
 * no limit.
 */
static size_t available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	size_t kib = SIZE_MAX / 1024;
	char line[128];

	if (file == NULL)
		return SIZE_MAX;
	while (fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "MemAvailable: %zu kB", &kib) == 1)
			break;
	fclose(file);
	return kib * 1024;
}

void *map_shared(const char *purpose, size_t bytes, size_t also, const char *advice)
{
	char needed[SIZE_TEXT], left[SIZE_TEXT];
	void *memory;

	if (bytes + also > available()) {
		refuse("not enough memory for %s: needs %s, %s are available: %s", purpose,
		       size_text(needed, bytes + also), size_text(left, available()), advice);
		return NULL;
	}
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory != MAP_FAILED)
		return memory;
	refuse("not enough memory for %s: needs %s: %s", purpose, size_text(needed, bytes),
	       strerror(errno));
	return NULL;
}

/*
 * Call it twice. Sanitizers make the second call do nothing, because it would fill their shadow
 * memory. The first call locks pages when they are first used.
 */
int lock_memory(void)
{
	if (syscall(SYS_mlockall, MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 &&
	    mlockall(MCL_CURRENT | MCL_FUTURE) == 0)
		return 0;
	return refuse("memory cannot be locked (%s): grant CAP_IPC_LOCK or an unlimited "
		      "RLIMIT_MEMLOCK (ulimit -l)",
		      strerror(errno));
}

void touch_stack(void)
{
	volatile char depth[STACK_BYTES / 2];

	for (size_t i = 0; i < sizeof(depth); i += 1024)
		depth[i] = 0;
}
