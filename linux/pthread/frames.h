/* SPDX-License-Identifier: MIT */
#ifndef PLF_FRAMES_H
#define PLF_FRAMES_H

/*
 * The calling thread's frames on its CPU's ceiling stack. The protocol is protocol/ceiling_stack.h.
 * The writer is a restartable sequence, so a thread that is moved to another CPU meanwhile changes
 * nothing there, and frames leave in any order. The protocol's invariants hold except for I2 and
 * I3. There is one more:
 *
 *  - A thread that sleeps at a gate has no open section, so no cycle of waits contains a gate.
 */
#include "member.h"

enum {
	PLF_NO_FRAME = -1,   /* all frames are in use */
	PLF_NOT_AT_HOME = -2 /* the caller is no longer on the CPU of its place */
};

/*
 * Push a frame of that ceiling. Returns the number of the frame, which is also the number of its
 * section, or PLF_NO_FRAME or PLF_NOT_AT_HOME. The caller must check before whether a section
 * covers it.
 */
int plf_frame_push(int ceiling);

/* Remove that frame from any position, and wake the sleepers at its gates. False: moved. */
bool plf_frame_take_off(uint32_t index);

/* Remove frame 0, if it is on the stack without a section. False: moved. */
bool plf_frame_take_back(void);

/* Remove all frames of the caller's sections. False: moved. */
bool plf_frames_take_off(void);

/* PLACE is dead: wake the sleepers at its gates. */
void plf_frames_abandon(struct plf_thread *place);

/*
 * Sleep until no open section of another thread covers the caller, which must have no open section.
 * Does not sleep if there is no memory. False: the caller is no longer on the CPU of its place.
 */
bool plf_wait_for_cover(void);

#endif
