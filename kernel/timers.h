/* SPDX-License-Identifier: MIT */
#ifndef PLF_TIMERS_H
#define PLF_TIMERS_H

/* The port's timers, each set for arrivals to come: plf_timer_is_set() is given one of these. */
enum plf_timer_kind {
	PLF_TIMER_ALARMS,
	PLF_TIMER_ARRIVALS, /* of a run */
	PLF_TIMERS,
};

#endif
