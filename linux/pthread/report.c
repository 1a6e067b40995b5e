/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- A file for later --------------------------------------------------- */

enum {
	LEAST_NUMBER = 200, /* a program expects the lowest numbers for its files */
	CLOSED = -1,
};

static int open_again(const char *path, int flags)
{
	flags |= O_WRONLY | O_CLOEXEC | O_NOCTTY;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
}

static int far_up(int fd)
{
	struct rlimit limit = { .rlim_cur = 0 };
	int number = LEAST_NUMBER, moved;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur / 2 < LEAST_NUMBER)
		number = (int)(limit.rlim_cur / 2);
	moved = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, number);
	if (moved < 0)
		return fd;
	syscall(SYS_close, fd);
	return moved;
}

static bool is_kept(const struct plf_target *target)
{
	struct stat found;

	return target->kept != 0 && fstat(target->kept, &found) == 0 &&
	       found.st_dev == target->kept_device && found.st_ino == target->kept_number;
}

static void keep(struct plf_target *target)
{
	int fd = open_again(target->path, O_CREAT | O_EXCL);
	struct stat found;

	target->kept_is_new = fd >= 0;
	if (fd < 0)
		fd = open_again(target->path, 0);
	if (fd < 0 || fstat(fd, &found) != 0)
		return;
	target->kept = far_up(fd);
	target->kept_device = found.st_dev;
	target->kept_number = found.st_ino;
}

/* A child of vfork() is not the writer, so it opens nothing. */
void plf_target_keep(struct plf_target *target)
{
	int saved = errno;

	if (__atomic_load_n(&target->writer, __ATOMIC_RELAXED) == getpid() && !is_kept(target))
		keep(target);
	errno = saved;
}

/* Close the kept descriptor, which in a child of fork() is the parent's. */
static void forget_kept(struct plf_target *target)
{
	if (is_kept(target))
		syscall(SYS_close, target->kept);
	target->kept = 0;
}

void plf_target_discard(struct plf_target *target)
{
	struct stat found;

	if (target->kept_is_new && is_kept(target) && stat(target->path, &found) == 0 &&
	    found.st_dev == target->kept_device && found.st_ino == target->kept_number)
		unlink(target->path);
	if (is_kept(target)) {
		forget_kept(target);
		target->kept = CLOSED;
	}
}

/* ---- Whose report it is ------------------------------------------------ */

/* Does the file, which holds strings that end in NUL, have this string? */
static bool holds_string(int fd, const char *wanted)
{
	char text[1024];
	size_t matched = 0;
	bool fits = true;
	long size;

	while ((size = syscall(SYS_read, fd, text, sizeof(text))) > 0) {
		for (long i = 0; i < size; i++) {
			if (text[i] != '\0') {
				fits = fits && text[i] == wanted[matched++];
				continue;
			}
			if (fits && wanted[matched] == '\0')
				return true;
			fits = true;
			matched = 0;
		}
	}
	return false;
}

static bool parent_began_with(const char *variable, const char *value)
{
	char path[32], wanted[PATH_MAX + 32];
	bool found;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/environ", (int)getppid());
	snprintf(wanted, sizeof(wanted), "%s=%s", variable, value);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	found = holds_string(fd, wanted);
	syscall(SYS_close, fd);
	return found;
}

bool plf_is_below(const char *variable, const char *value)
{
	const char *preload = getenv("LD_PRELOAD");

	return preload != NULL && parent_began_with(variable, value) &&
	       parent_began_with("LD_PRELOAD", preload);
}

static void set_writer(struct plf_target *target)
{
	target->writer = getpid();
	if (target->below)
		snprintf(target->path + target->named, 16, ".%d", (int)target->writer);
}

/* The path must be absolute, because the program may change its directory before it ends. */
static void make_absolute(struct plf_target *target, const char *value)
{
	size_t length = 0;

	if (value[0] != '/' && getcwd(target->path, PATH_MAX) != NULL)
		length = strlen(target->path);
	snprintf(target->path + length, PATH_MAX - length, "%s%s", length > 0 ? "/" : "", value);
	target->named = strlen(target->path);
}

bool plf_reports_are_wanted;

void plf_target_set(struct plf_target *target, const char *variable, const char *value)
{
	plf_reports_are_wanted = true;
	make_absolute(target, value);
	target->below = plf_is_below(variable, value);
	set_writer(target);
}

void plf_target_after_fork(struct plf_target *target)
{
	if (target->named == 0)
		return;
	forget_kept(target);
	target->below = true;
	set_writer(target);
}

/* If no report was asked for, no system call is made, because a sandbox may forbid it. */
bool plf_target_claim(struct plf_target *target)
{
	pid_t writer;

	if (__atomic_load_n(&target->writer, __ATOMIC_RELAXED) == 0)
		return false;
	writer = getpid();
	return __atomic_compare_exchange_n(&target->writer, &writer, 0, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
}

/* ---- Writing ----------------------------------------------------------- */

static int write_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		long written = syscall(SYS_write, fd, text, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? errno : EIO;
		text += written;
		size -= (size_t)written;
	}
	return 0;
}

/*
 * A write into a broken pipe, or beyond the file size limit, raises a signal, which would change
 * how the program ends. The writing thread gets the signal and takes it back.
 */
static int write_silently(int fd, const char *text, size_t size)
{
	static const struct timespec at_once;
	sigset_t ours, before, pending;
	int error;

	sigemptyset(&ours);
	sigaddset(&ours, SIGPIPE);
	sigaddset(&ours, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &ours, &before);
	sigpending(&pending);
	error = write_all(fd, text, size);
	if (sigismember(&pending, SIGPIPE) == 1)
		sigdelset(&ours, SIGPIPE);
	if (sigismember(&pending, SIGXFSZ) == 1)
		sigdelset(&ours, SIGXFSZ);
	if (error == EPIPE || error == EFBIG)
		syscall(SYS_rt_sigtimedwait, &ours, NULL, &at_once, _NSIG / 8);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

void plf_warn(const char *format, ...)
{
	static const char prefix[] = "plafond: ";
	static bool has_warned;
	char line[512];
	size_t length = sizeof(prefix) - 1;
	va_list arguments;
	int size;

	memcpy(line, prefix, length);
	if (__atomic_exchange_n(&has_warned, true, __ATOMIC_RELAXED))
		return;
	va_start(arguments, format);
	size = vsnprintf(line + length, sizeof(line) - length - 1, format, arguments);
	va_end(arguments);
	if (size < 0)
		return;
	length = strnlen(line, sizeof(line) - 2);
	line[length++] = '\n';
	write_silently(STDERR_FILENO, line, length);
}

static void flush(struct plf_report *report)
{
	if (report->error == 0)
		report->error = write_silently(report->fd, report->text, report->used);
	report->used = 0;
}

static void open_file(struct plf_report *report, const char *path, int flags)
{
	flags |= O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;
	report->path = path;
	report->error = 0;
	report->used = 0;
	report->fd = STDERR_FILENO;
	if (path == NULL)
		return;
	report->fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0666);
	if (report->fd < 0)
		report->error = errno;
}

void plf_report_open(struct plf_report *report, const char *path)
{
	open_file(report, path, O_TRUNC);
}

void plf_report_open_target(struct plf_report *report, const struct plf_target *target)
{
	report->gave_away = plf_target_was_kept(target);
	if (!is_kept(target)) {
		plf_report_open(report, target->path);
		return;
	}
	report->path = target->path;
	report->used = 0;
	report->fd = target->kept;
	report->error = ftruncate(report->fd, 0) == 0 ? 0 : errno;
}

bool plf_report_create(struct plf_report *report, const char *path)
{
	open_file(report, path, O_EXCL);
	return report->error != EEXIST;
}

void plf_report_put(struct plf_report *report, const char *format, ...)
{
	for (int attempt = 0; attempt < 2; attempt++) {
		size_t room = sizeof(report->text) - report->used;
		va_list arguments;
		int size;

		va_start(arguments, format);
		size = vsnprintf(report->text + report->used, room, format, arguments);
		va_end(arguments);
		if (size >= 0 && (size_t)size < room) {
			report->used += (size_t)size;
			return;
		}
		flush(report);
	}
}

/* Number of bytes of the UTF-8 sequence that begins here; 0: it is not UTF-8. */
static int utf8_length(const unsigned char *text)
{
	int length = text[0] < 0x80 ? 1 : text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	uint32_t code = text[0] & (0xffU >> (length == 1 ? 0 : length + 1));
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	if (length > 1 && (text[0] < 0xc0 || text[0] > 0xf4))
		return 0;
	for (int i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	return code < least[length] || code > 0x10ffff || code >> 11 == 0x1b ? 0 : length;
}

void plf_report_string(struct plf_report *report, const char *text)
{
	plf_report_put(report, "\"");
	while (*text != '\0') {
		int length = utf8_length((const unsigned char *)text);

		if (length == 0)
			plf_report_put(report, "?");
		else if (*text == '"' || *text == '\\')
			plf_report_put(report, "\\%c", *text);
		else if (length == 1 && ((unsigned char)*text < ' ' || *text == 0x7f))
			plf_report_put(report, "\\u%04x", *text);
		else
			plf_report_put(report, "%.*s", length, text);
		text += length > 0 ? length : 1;
	}
	plf_report_put(report, "\"");
}

void plf_report_close(struct plf_report *report)
{
	flush(report);
	if (report->path == NULL)
		return;
	if (report->fd >= 0)
		syscall(SYS_close, report->fd);
	if (report->error != 0)
		plf_warn("cannot write %s: %s%s", report->path, strerrordesc_np(report->error),
			 report->gave_away ? ": the process gave its rights away" : "");
}
