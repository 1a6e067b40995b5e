/* SPDX-License-Identifier: MIT */
#ifndef PART_H
#define PART_H

/*
 * A part is another execution of this program, for tests that need separate statistics or another
 * process. main() knows the parts by their names.
 */
#include <sys/types.h>

/* Statistics of the last part. */
extern char stats_path[64];

/* Bound the caller's time, and end it with its parent. */
void become_part(void);

/* Start a part with NAME=VALUE in its environment, or without NAME if VALUE is NULL. */
pid_t start_part(char *const arguments[], const char *name, const char *value);

/* Run a part and keep its statistics. Returns its exit status. */
int status_of_part(const char *part, const char *detail, const char *name, const char *value);

/* Run a part with the module. It must succeed. */
void run_part(const char *part, const char *detail);

/* Check the statistics in that file, and remove it. */
void expect_statistics(const char *path, const char *backend, long lazy, long eager);

#endif
