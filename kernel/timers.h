/* SPDX-License-Identifier: MIT */
#ifndef PLF_TIMERS_H
#define PLF_TIMERS_H

/* What the port's timers are set for: arrivals to come, as plf_timer_is_set() tells the scheduler.
 */
enum plf_timer_kind {
	PLF_TIMER_ALARMS,
	PLF_TIMER_ARRIVALS, /* of a run */
	PLF_TIMERS,
};

#endif
