/* SPDX-License-Identifier: MIT */
#ifndef PLF_PLACE_H
#define PLF_PLACE_H

/* The caller's place in the arena, with its frames, on its CPU's ceiling stack. */
#include "member.h"

/* Take a place on that CPU. False: there is no memory. */
bool plf_take_place(int cpu);

/* Give the place up, and look like a stranger. The caller must have no frame on the stack. */
void plf_give_up_place(void);

/*
 * The caller was moved to another CPU while frames of its place were on the stack: give the place
 * up. All threads pass over these frames, as over frames of the dead.
 */
void plf_leave_place_behind(void);

#endif
