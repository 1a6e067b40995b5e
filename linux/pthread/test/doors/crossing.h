/* SPDX-License-Identifier: MIT */
#ifndef CROSSING_H
#define CROSSING_H

/* A program uses a mutex and a condition variable by LD_PRELOAD's calls and by those of a door. */
#include "plug_in.h"
#include "team.h"

enum { CEILING = 40 };

/* Each side undoes the other side's calls, and wakes it. */
void cross(struct plug_in door);

/* Returns ADDRESS, and fails if the dynamic linker has found none. */
void *found(void *address);

/* The plug_in of a loaded library. */
struct plug_in *plug_in_of(void *handle);

#endif
