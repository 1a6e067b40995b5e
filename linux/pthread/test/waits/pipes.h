/* SPDX-License-Identifier: MIT */
#ifndef PIPES_H
#define PIPES_H

/* Two pipes: nothing can be read from the empty pipe, and nothing written into the full pipe. */
#include "call.h"

enum { FULL = 65536 };

extern int empty[2], full[2];
extern char buffer[FULL];

extern const struct setting empty_pipe, full_pipe;

/* The world's actions on the pipes. */
void fill_empty_pipe(void); /* an empty line */
void drain_full_pipe(void);
void clear_empty_pipe(void);

#endif
