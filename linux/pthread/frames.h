/* SPDX-License-Identifier: MIT */
#ifndef PLF_FRAMES_H
#define PLF_FRAMES_H

/*
 * The calling thread's frames on its CPU's ceiling stack. protocol/ceiling_stack.h is the
 * protocol. Its writer is a restartable sequence, so that a thread that
 * is moved to another CPU meanwhile changes nothing there, and frames leave in any
 * order. One invariant besides those there, but for I2 and I3:
 *
 *  - A thread that sleeps at a gate has no section open: no cycle of waits has a gate in it.
 */
#include "member.h"

enum {
	PLF_NO_FRAME = -1,   /* all are in use */
	PLF_NOT_AT_HOME = -2 /* the caller is no longer on the CPU of its place */
};

/*
 * Push a frame of that ceiling; returns its number, which is that of its section, too.
 * The caller itself checks whether a section covers it.
 */
int plf_frame_push(int ceiling);

/* Take it off, wherever it lies, and let go the sleepers at its gates. False: moved. */
bool plf_frame_take_off(uint32_t index);

/* Frame 0, if it is there though no section has it. False: moved. */
bool plf_frame_take_back(void);

/* All of them. False: moved. */
bool plf_frames_take_off(void);

/* PLACE is dead: let go the sleepers at its gates. */
void plf_frames_abandon(struct plf_thread *place);

/*
 * Sleep until no open section of another thread covers the caller, which has none open itself.
 * False: it is no longer on the CPU of its place.
 */
bool plf_wait_for_cover(void);

#endif
