/* SPDX-License-Identifier: MIT */
#ifndef STEP_STAND_H
#define STEP_STAND_H

/*
 * Two CPUs. A thread that stands still at a boundary is not preempted: it spins there, as
 * a slow processor would seem to, while the other CPU goes on. It spins in a restartable
 * sequence of the harness: so the kernel itself shows whether a sequence at that boundary would
 * have been restarted meanwhile, as membarrier(2) demands.
 *
 * It stands until the other CPU is quiet: the thread that ran there sleeps, or has come to the end.
 * A watcher of the lowest priority on each CPU reports that: it runs only then.
 */
#include <stdbool.h>

enum { SIDES = 2 };

/* Once: the watchers, at a priority BELOW those of all actors. Side 0 is the holder's CPU. */
void stand_setup(const int *cpu, int below);

/* SIDE will stand; then it wakes the thread that it stands for, which waits until it does. */
void stand_begin(int side);
void stand_await(int side);

/* It stands until the other side is quiet. True: restarted meanwhile. */
bool stand_still(int side);

/* SIDE was reached at a boundary of its own while the other one stands: let that one go on. */
bool stand_instead(int side);

/* Until both watchers are at rest. */
void stand_end(void);

#endif
