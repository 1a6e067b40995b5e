/* SPDX-License-Identifier: MIT */
#ifndef RUN_LINE_H
#define RUN_LINE_H

/* A line of text that several threads may want to write. Only the first writes it. */
#include <stdatomic.h>
#include <stdbool.h>

struct line {
	atomic_bool taken;
	char text[160];
};

/* Write the line. True: the caller was the first. */
__attribute__((format(printf, 2, 3))) bool write_line(struct line *line, const char *format, ...);

#endif
