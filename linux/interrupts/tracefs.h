/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_TRACEFS_H
#define INTERRUPTS_TRACEFS_H

#include <stddef.h>

/*
 * The root folder of tracefs: where it is mounted, or in a mount that has no place in the file
 * system and ends with the last open file in it. -1: there is none for this user, and this said
 * why.
 */
int open_tracefs(void);

/* 0 or an errno value. */
int write_text(int folder, const char *path, const char *text);

/* The text of a file, to be freed, and its length; NULL and errno without one. */
char *read_text(int folder, const char *path, size_t *length);

#endif
