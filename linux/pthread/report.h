/* SPDX-License-Identifier: MIT */
#ifndef PLF_PTHREAD_REPORT_H
#define PLF_PTHREAD_REPORT_H

/*
 * Output of a process that ends: no allocation, no lock, no cancellation point, and no signal left
 * behind (SIGPIPE, SIGXFSZ). So the program ends as it would have ended without a report.
 */
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * The file that an environment variable names, and the process that writes it. The file belongs to
 * the program that was started with the variable. A process *below* that program (a child of
 * fork(), or a program that it started) has the file FILE.PID.
 */
struct plf_target {
	char path[PATH_MAX + 16]; /* absolute */
	size_t named;		  /* length of `path` without .PID */
	pid_t writer;		  /* the process that must write; 0: none, or it has written */
	bool below;

	/* The file, opened while the process had the right to do so: see plf_target_keep(). */
	int kept;	   /* a descriptor, which the program may have closed; 0: none */
	bool kept_is_new;  /* the file was created then */
	dev_t kept_device; /* identifies the file, with its inode number */
	ino_t kept_number;
};

/* A target was set. Otherwise a process that gives rights away has nothing to do. */
extern bool plf_reports_are_wanted __attribute__((visibility("hidden")));

/* Did the parent begin with that variable, and with the caller's LD_PRELOAD? */
bool plf_is_below(const char *variable, const char *value);

/* Call once at start; `value` is the value of `variable`. */
void plf_target_set(struct plf_target *target, const char *variable, const char *value);
void plf_target_after_fork(struct plf_target *target);

/* May the caller write now? True once, and never in a child of vfork(). */
bool plf_target_claim(struct plf_target *target);

/*
 * The caller is about to give rights away: open the file while that is possible. The file keeps its
 * content until something is written.
 */
void plf_target_keep(struct plf_target *target);

static inline bool plf_target_was_kept(const struct plf_target *target)
{
	return target->kept != 0;
}

/* There is nothing to report: remove a file that plf_target_keep() created, if that works. */
void plf_target_discard(struct plf_target *target);

struct plf_report {
	const char *path; /* NULL: standard error */
	int fd;
	int error;	/* the first error: nothing is written after it */
	bool gave_away; /* the process gave rights away, so the file may be lost */
	size_t used;
	char text[4096];
};

void plf_report_open(struct plf_report *report, const char *path);

/* Open the target's file, kept or not. */
void plf_report_open_target(struct plf_report *report, const struct plf_target *target);

/* Create the file and open it. False: it exists, and nothing was opened. */
bool plf_report_create(struct plf_report *report, const char *path);
void plf_report_put(struct plf_report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Put a JSON string; bytes that are not UTF-8 become question marks. */
void plf_report_string(struct plf_report *report, const char *text);

/* A failure is reported in one line on standard error. */
void plf_report_close(struct plf_report *report);

/* Print one line on standard error, "plafond: ...". Only the first call in a process prints. */
void plf_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
