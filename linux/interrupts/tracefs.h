/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_TRACEFS_H
#define INTERRUPTS_TRACEFS_H

#include <stddef.h>

/* As find_tracefs() of plafond-run; -1: and this said why. */
int open_tracefs(void);

/* 0 or an errno value. */
int write_text(int folder, const char *path, const char *text);

/* The text of a file, to be freed, and its length; NULL and errno without one. */
char *read_text(int folder, const char *path, size_t *length);

#endif
