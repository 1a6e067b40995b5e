/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_TRACEFS_H
#define INTERRUPTS_TRACEFS_H

#include <stddef.h>

/* As find_tracefs(), but -1 comes with a message. */
int open_tracefs(void);

/* Write the text to the file. Returns 0 or an errno value. */
int write_text(int folder, const char *path, const char *text);

/* The text of a file and its length. The caller must free it. NULL and errno: it cannot be read. */
char *read_text(int folder, const char *path, size_t *length);

#endif
