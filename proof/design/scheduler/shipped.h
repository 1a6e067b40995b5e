/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_SHIPPED_H
#define DESIGN_SHIPPED_H

/*
 * A shipped scheduler of kernel/scheduler, for the comparison with a model. An urgency is a level
 * or a deadline. The kernel's half of a protocol decides the urgency of the running task.
 */
#include <stdint.h>

enum { SHIPPED_NONE = 255, SHIPPED_MOST = 1536 };

/* Starts with `count` tasks, at most 4, of these bases or relative deadlines. None is ready. */
void shipped_begin(const uint64_t *urgencies, unsigned count);

/* Saves all of the state, at most SHIPPED_MOST bytes, and restores it. */
void shipped_save(void *to);
void shipped_restore(const void *from);

/* The task becomes ready. Under EDF it arrived at `arrival`. */
void shipped_ready(unsigned task, uint64_t arrival);

/* The running task has this urgency now, and is preempted if another task is more urgent. */
void shipped_decides(uint64_t urgency);

/* Dispatches after the running task has ended or waits, or while no task runs. */
void shipped_dispatches(void);

/* Returns the running task and sets *urgency, or returns SHIPPED_NONE. */
unsigned shipped_running(uint64_t *urgency);

/* EDF: the kernel is entered at `now`, and its first unhandled arrival is at `due`. Returns the
 * instant from which floors count. */
uint64_t shipped_entered(uint64_t now, uint64_t due);

/* EDF: makes all deadlines a tick older. */
void shipped_ages(void);

#endif
