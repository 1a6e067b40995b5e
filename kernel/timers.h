/* SPDX-License-Identifier: MIT */
#ifndef PLF_TIMERS_H
#define PLF_TIMERS_H

/* The port's timers, each set for arrivals to come: plf_timer_is_set() is given one of these. */
enum plf_timer_kind {
	PLF_TIMER_ALARMS,
	PLF_TIMER_ARRIVALS, /* of a run */
	PLF_TIMERS,
};

#include "system.h"

/*
 * Whether the timer ends budgets, too: of servers, or of tasks. Then no task holds it back, and the
 * kernel keeps the alarms from one that holds interrupts back.
 */
#define PLF_TIMER_ENDS_BUDGETS (PLF_SERVERS || PLF_BUDGETS)

#endif
