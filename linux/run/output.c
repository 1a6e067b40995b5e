/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "output.h"

#include "memory.h"
#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void say_no_room(const char *path, size_t bytes, int error)
{
	char size[SIZE_TEXT];
	char directory[PATH_MAX];

	size_text(size, bytes);
	snprintf(directory, sizeof(directory), "%s", path);
	if (error == ENOSPC || error == EDQUOT)
		refuse("not enough disk for the trace: needs %s in %s", size, dirname(directory));
	else if (error == EFBIG)
		refuse("a file of %s is not allowed here: raise RLIMIT_FSIZE (ulimit -f) for the "
		       "trace",
		       size);
	else
		refuse("no room can be taken for the trace in %s: %s: name a regular file", path,
		       strerror(error));
}

bool reserve_output(struct output *output, const char *path, size_t bytes)
{
	/* Not to wait for the reader of a pipe, which cannot be used anyway. */
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
	int error;

	signal(SIGXFSZ, SIG_IGN); /* the error tells */
	*output = (struct output) { .path = path, .file = fd < 0 ? NULL : fdopen(fd, "w") };
	if (output->file == NULL) {
		refuse("cannot write %s: %s", path, strerror(errno));
		return false;
	}
	error = posix_fallocate(fileno(output->file), 0, (off_t)bytes);
	if (error == 0)
		return true;
	say_no_room(path, bytes, error);
	discard_output(output);
	return false;
}

/* A device is left where it is. */
void discard_output(struct output *output)
{
	if (ftruncate(fileno(output->file), 0) == 0)
		unlink(output->path);
	fclose(output->file);
}

bool close_output(struct output *output)
{
	bool is_whole = fflush(output->file) == 0 &&
			ftruncate(fileno(output->file), ftello(output->file)) == 0;
	int error = errno;

	if (fclose(output->file) == 0 && is_whole)
		return true;
	fail("cannot write %s: %s", output->path, strerror(is_whole ? errno : error));
	return false;
}
