/* SPDX-License-Identifier: MIT */
#ifndef DESIGN_SHIPPED_H
#define DESIGN_SHIPPED_H

/*
 * A scheduler of kernel/scheduler as it ships, for that of the models to be compared with. An
 * urgency is a level, or a deadline; the kernel's half of a protocol says which the running task
 * has.
 */
#include <stdint.h>

enum { SHIPPED_NONE = 255, SHIPPED_MOST = 1536 };

/* Tasks of these bases, or relative deadlines, from 0, up to 4; none is ready. */
void shipped_begin(const uint64_t *urgencies, unsigned count);

/* All of its state, of at most SHIPPED_MOST bytes, and back to it. */
void shipped_save(void *to);
void shipped_restore(const void *from);

/* The task is ready; under EDF it arrived then. */
void shipped_ready(unsigned task, uint64_t arrival);

/* The running task has that urgency now, and is preempted if that is due. */
void shipped_decides(uint64_t urgency);

/* The running task has ended, or waits, or none runs. */
void shipped_dispatches(void);

/* The running task and its urgency; SHIPPED_NONE: none runs. */
unsigned shipped_running(uint64_t *urgency);

/* EDF: the kernel is entered at `now`, and the first arrival that it has not handled is at `due`.
 * Returns the instant from which floors count. */
uint64_t shipped_entered(uint64_t now, uint64_t due);

/* EDF: all deadlines are a tick older. */
void shipped_ages(void);

#endif
