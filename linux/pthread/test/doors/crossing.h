/* SPDX-License-Identifier: MIT */
#ifndef CROSSING_H
#define CROSSING_H

/* A mutex and a condition variable that a program uses by LD_PRELOAD's calls and by a door's. */
#include "plug_in.h"
#include "team.h"

enum { CEILING = 40 };

/* Each side undoes what the other has done, and wakes it. */
void cross(struct plug_in door);

/* ADDRESS, which the dynamic linker has found. */
void *found(void *address);

/* That of a loaded library. */
struct plug_in *plug_in_of(void *handle);

#endif
