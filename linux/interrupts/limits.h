/* SPDX-License-Identifier: MIT */
#ifndef INTERRUPTS_LIMITS_H
#define INTERRUPTS_LIMITS_H

#include "reservation.h"

/*
 * What the kernel would refuse, or should: a budget below 1,024 ns or above its period, a period
 * out of the kernel's range, a thread twice, a thread that has a reservation already, no privilege
 * for them. Where the kernel's own admission is off (sched_rt_runtime_us = -1) also more than all
 * CPUs in reservations, and more than one CPU for threads that are pinned to it. False: this said
 * what was found and what is expected.
 */
__attribute__((warn_unused_result)) bool are_within_limits(const struct reservations *reservations);

#endif
