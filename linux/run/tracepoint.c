/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tracepoint.h"

#include "../machine/tracefs.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int parse_id(int file)
{
	FILE *stream = fdopen(file, "r");
	int id;

	if (stream == NULL) {
		close(file);
		return -1;
	}
	if (fscanf(stream, "%d", &id) != 1)
		id = -1;
	fclose(stream);
	return id;
}

/* Read the number, and close `root`. */
static int read_id(int root)
{
	int file;

	if (root < 0)
		return -1;
	file = openat(root, "events/raw_syscalls/sys_enter/id", O_RDONLY | O_CLOEXEC);
	close(root);
	return file < 0 ? -1 : parse_id(file);
}

int sys_enter_tracepoint(void)
{
	int id = read_id(find_tracefs());

	return id >= 0 ? id
		       : read_id(open("/sys/kernel/debug/tracing",
				      O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}
