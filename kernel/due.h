/* SPDX-License-Identifier: MIT */
#ifndef PLF_DUE_H
#define PLF_DUE_H

/* The timer of a core serves the alarms of the time counters that the core drives. */
#include "alarm.h"

/* Let all due alarms expire, of the lists that the core serves now. */
static inline void plf_expire_all(const struct plf_core *core)
{
	for (unsigned counter = 0; counter < PLF_COUNTERS; counter++)
		if (plf_counter_config[counter].tick_ns &&
		    plf_is_own(core, plf_counter_config[counter].core))
			plf_expire(counter);
}

/* Return when a list's next alarm expires; UINT64_MAX: never, or beyond the clock's range. */
static inline uint64_t plf_next_of_counter_ns(unsigned counter, unsigned list)
{
	unsigned first = plf_counters[counter].first[list];
	uint64_t at_ns;

	if (!plf_counter_config[counter].tick_ns || !first ||
	    __builtin_mul_overflow(plf_alarms[first - 1].expires,
				   plf_counter_config[counter].tick_ns, &at_ns))
		return UINT64_MAX;
	return at_ns;
}

/* Return the earliest expiry of that list among the counters that the core drives. */
static inline uint64_t plf_next_alarm_ns(const struct plf_core *core, unsigned list)
{
	uint64_t first_ns = UINT64_MAX;

	for (unsigned counter = 0; counter < PLF_COUNTERS; counter++)
		if (plf_is_own(core, plf_counter_config[counter].core) &&
		    plf_next_of_counter_ns(counter, list) < first_ns)
			first_ns = plf_next_of_counter_ns(counter, list);
	return first_ns;
}

#endif
