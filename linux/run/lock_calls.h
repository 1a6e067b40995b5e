/* SPDX-License-Identifier: MIT */
#ifndef RUN_LOCK_CALLS_H
#define RUN_LOCK_CALLS_H

/*
 * How many system calls of locking the kernel got from the calling thread: futex
 * calls, changes of priority, and calls of a device: /dev/plafond lowers a priority,
 * /dev/immpc executes a whole section. It counts by itself, on the tracepoint at the
 * entry of a system call; nothing is added to the thread's path.
 */
#include "line.h"

#include <stdint.h>

/* A stopped counter, or -1; then `reason` says why not. `tracepoint`: raw_syscalls:sys_enter. */
__attribute__((warn_unused_result)) int lock_calls_open(int tracepoint, struct line *reason);

/* These make nothing of a counter that is -1, and read it as -1. */
void lock_calls_start(int counter);
int64_t lock_calls_read(int counter);

#endif
