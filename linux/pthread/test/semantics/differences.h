/* SPDX-License-Identifier: MIT */
#ifndef SEMANTICS_DIFFERENCES_H
#define SEMANTICS_DIFFERENCES_H

/*
 * Calls in which the drop-in treats priority-protect mutexes as POSIX.1-2017 says, but glibc 2.36
 * does not. All other calls agree. differences.c has the table.
 */
#include <errno.h>
#include <stdbool.h>

enum difference {
	AFTER_TIMEOUT,
	AFTER_TIMEOUT_INSIDE,
	WAITERS_BY_PRIORITY,
	SIGNAL_TO_LATER_WAITER,
	KERNEL_CALLS_KEEP_CEILING,
	SCHED_OTHER_INSIDE,
	PRIORITY_0_INSIDE,
	UNLOCK_AFTER_PRIORITY_0,
	CHILD_UNLOCKS_AS_OWNER,
	OTHER_LOCKS_AGAIN,
	DEADLINE_LOCKS_AGAIN,
	FIFO_AFTER_REFUSED_LOCK,
	UNPRIVILEGED_LOCKS_AGAIN,
	DIFFERENCES,
};

/* Does this run use the drop-in? SEMANTICS=plafond or glibc in the environment decides. */
bool on_plafond(void);
/* The result that is expected in this run. */
int expected(enum difference difference);
/* Print the table for the guide. */
void print_differences(void);

#endif
