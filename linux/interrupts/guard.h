/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_GUARD_H
#define INTERRUPTS_GUARD_H

/*
 * A process that undoes what this one does to the machine, however this one ends.
 *
 * Invariants:
 *  I1  The guard is ready before the first change. From then on one of the two is alive, or both
 *      were killed, which no program can mend.
 *  I2  The guard undoes when this process has ended, its files are closed and no system call of it
 *      is in progress; or at end_guard(). If the guard was killed, end_guard() undoes here.
 *  I3  `undo` may run at any point between the changes, and twice: it looks at what there is. The
 *      guard has the memory of start_guard(), so `undo` reads only what was known by then.
 *
 * The guard is in a session of its own: what interrupts this process from a terminal, or ends its
 * process group, does not reach the guard.
 */
#include <stdbool.h>
#include <sys/types.h>

struct guard {
	pid_t pid;
	int line; /* to the guard; it hangs up (POLLHUP) when the guard ends */
	bool (*undo)(const void *argument); /* false: it said what is left */
	const void *argument;
};

/* False: there is none, and it said why. */
__attribute__((warn_unused_result)) bool
start_guard(struct guard *guard, bool (*undo)(const void *argument), const void *argument);

/* Undo, and end the guard. False: it was killed, or something is left; one of the two said so. */
__attribute__((warn_unused_result)) bool end_guard(struct guard *guard);

#endif
