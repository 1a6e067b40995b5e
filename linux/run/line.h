/* SPDX-License-Identifier: MIT */
#ifndef RUN_LINE_H
#define RUN_LINE_H

/* A line of text that several threads may want to write: the first one does. */
#include <stdatomic.h>
#include <stdbool.h>

struct line {
	atomic_bool taken;
	char text[160];
};

/* Whether the caller was the first. */
__attribute__((format(printf, 2, 3))) bool write_line(struct line *line, const char *format, ...);

#endif
