/* SPDX-License-Identifier: MIT */
#ifndef RUN_LOCK_CALLS_H
#define RUN_LOCK_CALLS_H

/*
 * How many system calls for locks the calling thread made: futex calls, changes of priority, and
 * calls of a device. /dev/plafond lowers a priority; /dev/immpc executes a whole section. The
 * counter is on the kernel's tracepoint at the entry of system calls, so it adds nothing to the
 * thread's path.
 */
#include "line.h"

#include <stdint.h>

/* A stopped counter; or -1, and `reason` says why. `tracepoint`: raw_syscalls:sys_enter. */
__attribute__((warn_unused_result)) int lock_calls_open(int tracepoint, struct line *reason);

/* If the counter is -1, do nothing, and return -1. */
void lock_calls_start(int counter);
int64_t lock_calls_read(int counter);

#endif
