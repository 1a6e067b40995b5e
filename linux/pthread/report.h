/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_REPORT_H
#define PLF_PTHREAD_REPORT_H

/*
 * Output of a process that ends: no allocation, no lock, no cancellation point, no
 * signal left behind (SIGPIPE, SIGXFSZ), so that the program ends as it would have.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The file that an environment variable names, and which process writes it. It
 * belongs to the program that was started with the variable. A process *below* it (a
 * child of fork(), or a program that it started) has the file FILE.PID.
 */
struct plf_target {
	char path[PATH_MAX + 16]; /* absolute */
	size_t named;		  /* characters of `path` without .PID */
	pid_t writer;		  /* the process that shall write; 0: none, or it has */
	bool below;

	/* The file, opened before the process lost the right to: see plf_target_keep(). */
	int kept;	   /* a descriptor, which the program may have closed; 0: none */
	bool kept_is_new;  /* it was not there before */
	dev_t kept_device; /* which file it was */
	ino_t kept_number;
};

/* A target was set: by it a process that gives rights away knows whether it has to do anything. */
extern bool plf_reports_are_wanted __attribute__((visibility("hidden")));

/* Did the parent begin with that variable, and is it preloaded as the caller is? */
bool plf_is_below(const char *variable, const char *value);

/* Once at start; `value` is that of `variable`. */
void plf_target_set(struct plf_target *target, const char *variable, const char *value);
void plf_target_after_fork(struct plf_target *target);

/* May the caller write now? True once, and never in a child of vfork(). */
bool plf_target_claim(struct plf_target *target);

/*
 * The caller is about to give rights away: open the file while that can be done. What it held stays
 * until something is written.
 */
void plf_target_keep(struct plf_target *target);

static inline bool plf_target_was_kept(const struct plf_target *target)
{
	return target->kept != 0;
}

/* There is nothing to report: a file that was made for it goes, if it still may. */
void plf_target_discard(struct plf_target *target);

struct plf_report {
	const char *path; /* NULL: standard error */
	int fd;
	int error;	/* the first that came: nothing is written after it */
	bool gave_away; /* rights, so that its file may be lost */
	size_t used;
	char text[4096];
};

void plf_report_open(struct plf_report *report, const char *path);

/* The file of the target, kept or not. */
void plf_report_open_target(struct plf_report *report, const struct plf_target *target);

/* The same; false: there is such a file, and nothing was opened. */
bool plf_report_create(struct plf_report *report, const char *path);
void plf_report_put(struct plf_report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* As a JSON string; bytes that are not UTF-8 become question marks. */
void plf_report_string(struct plf_report *report, const char *text);

/* A failure is reported in one line on standard error. */
void plf_report_close(struct plf_report *report);

/* One line on standard error, "plafond: ...", and never a second one. */
void plf_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
