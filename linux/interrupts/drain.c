/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "drain.h"

#include "../machine/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PAGES = 1024, PATH_BYTES = 64 };

static int open_pages(const struct instance *instance, int cpu)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "per_cpu/cpu%d/trace_pipe_raw", cpu);
	return openat(instance->folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

bool open_drain(struct drain *drain, const struct instance *instance, struct recording *recording)
{
	int possible = (int)sysconf(_SC_NPROCESSORS_CONF);

	*drain = (struct drain) { .recording = recording };
	drain->pages = calloc((size_t)possible, sizeof(*drain->pages));
	while (drain->pages != NULL && drain->cpus < possible) {
		int pages = open_pages(instance, drain->cpus);

		if (pages < 0)
			break;
		drain->pages[drain->cpus++] = pages;
	}
	if (drain->cpus == possible)
		return true;
	refuse("cannot read the trace of CPU %d: %s", drain->cpus, strerror(errno));
	return false;
}

/* Move a page. False: the CPU has no more. */
static bool move_page(struct drain *drain, int cpu)
{
	void *room = page_room(drain->recording);
	ssize_t bytes = read(drain->pages[cpu], room, MOST_PAGE_BYTES);

	if (bytes <= 0)
		return false;
	put_page(drain->recording, (uint32_t)cpu, (size_t)bytes);
	return true;
}

/* Do not wait until the buffers are empty, because new events could make that last for ever. */
bool drain_some(struct drain *drain)
{
	bool is_more = false;

	for (int cpu = 0; cpu < drain->cpus && drain->recording->error == 0; cpu++) {
		int pages = 0;

		while (pages < MOST_PAGES && move_page(drain, cpu))
			pages++;
		is_more |= pages == MOST_PAGES;
	}
	flush_recording(drain->recording);
	return is_more && drain->recording->error == 0;
}

void close_drain(struct drain *drain)
{
	for (int cpu = 0; cpu < drain->cpus; cpu++)
		close(drain->pages[cpu]);
	free(drain->pages);
}
