/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_RESERVATION_H
#define INTERRUPTS_RESERVATION_H

/* A thread under SCHED_DEADLINE, and how it was before: OSPERT 2010, 6, Section II. */
#include "../machine/limits.h"

#include <stdbool.h>

/* False: the thread cannot have it, and this said why. Those before it have theirs. */
__attribute__((warn_unused_result)) bool reserve(const struct reservations *reservations);

/*
 * Give each thread back what it had before, if it has the reservation: it may not have got it yet,
 * or has it no more. Says which threads have ended, or were changed by others. False: a thread
 * keeps its reservation, and this said why. `argument`: struct reservations.
 */
__attribute__((warn_unused_result)) bool restore(const void *argument);

#endif
