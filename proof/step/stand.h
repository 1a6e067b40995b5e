/* SPDX-License-Identifier: MIT */
#ifndef STEP_STAND_H
#define STEP_STAND_H

/*
 * Two CPUs. A thread that stands still at a boundary is not preempted. It spins there, like a slow
 * processor, while the other CPU goes on. It spins in a restartable sequence of the harness. So the
 * kernel itself shows whether it would have restarted a sequence at this boundary, as membarrier(2)
 * demands.
 *
 * The thread stands until the other CPU is quiet, because the thread there sleeps or has ended.
 * Each CPU has a watcher of the lowest priority, which runs only then and reports it.
 */
#include <stdbool.h>

enum { SIDES = 2 };

/* Start the watchers once, with priority BELOW, which is below all actors. Side 0 is the holder's
 * CPU. */
void stand_setup(const int *cpu, int below);

/* stand_begin() announces that SIDE will stand, before it wakes the other thread. That thread waits
 * in stand_await() until SIDE stands. */
void stand_begin(int side);
void stand_await(int side);

/* Stand until the other side is quiet. Returns whether the kernel restarted the sequence. */
bool stand_still(int side);

/* SIDE has reached a boundary while the other side stands. Let the other side go on, and stand. */
bool stand_instead(int side);

/* Wait until both watchers are at rest. */
void stand_end(void);

#endif
