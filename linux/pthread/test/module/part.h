/* SPDX-License-Identifier: MIT */
#ifndef PART_H
#define PART_H

/*
 * Where statistics decide, this program is executed once more, in a part of its own; and so it
 * is where another process is needed. main() knows the parts by their names.
 */
#include <sys/types.h>

/* Of the last part that was run. */
extern char stats_path[64];

/* The calling process ends in time, and not after its parent. */
void become_part(void);

/* With one variable more in its environment; NULL: without it. */
pid_t start_part(char *const arguments[], const char *name, const char *value);

/* How a part ends, whose statistics are kept. */
int status_of_part(const char *part, const char *detail, const char *name, const char *value);

/* A part that succeeds, with the module. */
void run_part(const char *part, const char *detail);

/* The text of that file, which is removed. */
void expect_statistics(const char *path, const char *backend, long lazy, long eager);

#endif
