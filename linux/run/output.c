/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "output.h"

#include "../machine/say.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

static bool is_same_file(int fd, const char *path)
{
	struct stat one, other;

	return fstat(fd, &one) == 0 && stat(path, &other) == 0 && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

/* Take room. The file stays empty until something is written. Returns 0 or an errno value. */
static int take_room(int fd, size_t bytes)
{
	struct rlimit limit;

	/* The kernel checks this limit only when the file grows. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes > limit.rlim_cur)
		return EFBIG;
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) == 0)
		return 0;
	return errno == EOPNOTSUPP ? posix_fallocate(fd, 0, (off_t)bytes) : errno;
}

bool reserve_output(struct output *output, const char *path, const char *plan_path, size_t bytes)
{
	/* Do not wait for a pipe's reader, because a pipe cannot be used anyway. */
	int fd = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
	int error;

	signal(SIGXFSZ, SIG_IGN); /* the write reports the error */
	*output = (struct output) { .path = path, .file = fd < 0 ? NULL : fdopen(fd, "w") };
	if (output->file == NULL) {
		refuse("cannot write %s: %s", path, strerror(errno));
		return false;
	}
	if (is_same_file(fd, plan_path)) {
		refuse("%s is the plan itself: name another file for the trace", path);
		fclose(output->file);
		return false;
	}
	error = ftruncate(fd, 0) == 0 ? take_room(fd, bytes) : errno;
	if (error == 0)
		return true;
	say_no_room(path, bytes, error);
	discard_output(output);
	return false;
}

/* Remove the file, but leave a device in its place. */
void discard_output(struct output *output)
{
	if (ftruncate(fileno(output->file), 0) == 0)
		unlink(output->path);
	fclose(output->file);
}

bool close_output(struct output *output)
{
	int error = 0;

	if (fflush(output->file) != 0)
		error = errno;
	else if (ferror(output->file)) /* an earlier write failed; its error is lost */
		error = EIO;
	else if (ftruncate(fileno(output->file), ftello(output->file)) != 0)
		error = errno;
	if (fclose(output->file) != 0 && error == 0)
		error = errno;
	if (error == 0)
		return true;
	fail("cannot write %s: %s", output->path, strerror(error));
	return false;
}
