/* SPDX-License-Identifier: MIT */
#ifndef PLF_TIMERS_H
#define PLF_TIMERS_H

/* The uses of the port's timer. plf_timer_is_set() takes such a kind. */
enum plf_timer_kind {
	PLF_TIMER_ALARMS,
	PLF_TIMER_ARRIVALS, /* arrivals of a run */
	PLF_TIMERS,
};

#include "system.h"

/*
 * Whether the timer also ends budgets of servers or tasks. Then no task holds the timer back.
 * Instead, the kernel keeps alarms from a task that holds interrupts back.
 */
#define PLF_TIMER_ENDS_BUDGETS (PLF_SERVERS || PLF_BUDGETS)

#endif
