/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_RESERVATION_H
#define INTERRUPTS_RESERVATION_H

/* A thread under SCHED_DEADLINE, and its schedule before: OSPERT 2010, 6, Section II. */
#include "../machine/limits.h"

#include <stdbool.h>

/*
 * Give the threads their reservations. False: a thread cannot have it; a message says why. Earlier
 * threads keep theirs.
 */
__attribute__((warn_unused_result)) bool reserve(const struct reservations *reservations);

/*
 * Give each thread its old schedule back, if it has the reservation: it may not have it yet, or any
 * more. Messages name threads that have ended, or that others changed. False: a thread keeps its
 * reservation; a message says why. `argument`: struct reservations.
 */
__attribute__((warn_unused_result)) bool restore(const void *argument);

#endif
