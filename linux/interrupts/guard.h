/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_GUARD_H
#define INTERRUPTS_GUARD_H

/*
 * A process that undoes the changes of this process to the machine, however this process ends.
 *
 * Invariants:
 *  I1  The guard is ready before the first change. From then on one of the two processes is alive,
 *      or both were killed, which no program can repair.
 *  I2  The guard undoes the changes when this process has ended, its files are closed, and none of
 *      its system calls is in progress; or at end_guard(). If the guard was killed, end_guard()
 *      undoes them here.
 *  I3  `undo` may run at any point between the changes, and twice, because it looks at the present
 *      state. The guard has the memory of start_guard(), so `undo` reads only facts known by then.
 *
 * The guard has its own session. So an interruption from the terminal, or the end of this process's
 * group, does not reach the guard.
 */
#include <stdbool.h>
#include <sys/types.h>

struct guard {
	pid_t pid;
	int line;			    /* to the guard; POLLHUP when the guard ends */
	bool (*undo)(const void *argument); /* false: a message names the changes left */
	const void *argument;
};

/* Start the guard. False: there is none; a message says why. */
__attribute__((warn_unused_result)) bool
start_guard(struct guard *guard, bool (*undo)(const void *argument), const void *argument);

/*
 * Undo the changes, and end the guard. False: the guard was killed, or a change is left; a message
 * says so.
 */
__attribute__((warn_unused_result)) bool end_guard(struct guard *guard);

#endif
