/* SPDX-License-Identifier: MIT */
#ifndef PLF_PLACE_H
#define PLF_PLACE_H

/* The caller's place in the arena, with its frames, on the ceiling stack of its CPU. */
#include "member.h"

/* On that CPU. False: there is no memory. */
bool plf_take_place(int cpu);

/* It has none any more, and looks like a stranger. No frame of it is on the stack. */
void plf_give_up_place(void);

/*
 * The caller was moved away from its place with frames on the stack there: give the place
 * up. The frames are passed over by all, as those of the dead.
 */
void plf_leave_place_behind(void);

#endif
