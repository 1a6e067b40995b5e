/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "tracefs.h"

#include "../machine/say.h"
#include "../machine/tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int open_tracefs(void)
{
	int root = find_tracefs();

	if (root >= 0)
		return root;
	if (errno == EPERM)
		refuse("tracefs is denied to this user, as is a mount of it: run this as root");
	else
		refuse("tracefs cannot be mounted: %s", strerror(errno));
	return -1;
}

int write_text(int folder, const char *path, const char *text)
{
	int file = openat(folder, path, O_WRONLY | O_CLOEXEC);
	int error = 0;

	if (file < 0)
		return errno;
	if (write(file, text, strlen(text)) < 0)
		error = errno;
	close(file);
	return error;
}

static void copy(int from, FILE *to)
{
	char part[4096];
	ssize_t length;

	while ((length = read(from, part, sizeof(part))) > 0)
		fwrite(part, 1, (size_t)length, to);
}

char *read_text(int folder, const char *path, size_t *length)
{
	int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	FILE *memory;

	if (file < 0)
		return NULL;
	memory = open_memstream(&text, length);
	if (memory != NULL) {
		copy(file, memory);
		fclose(memory);
	}
	close(file);
	return text;
}
