/* SPDX-License-Identifier: MIT */
/* Counters: OSEK 2.2.3, Section 9.1. Of the port's timer, or counted by IncrementCounter(). */
#include "alarm.h"
#include "cores.h"
#include "plf_schedule.h"
#include "port.h"
#include "service.h"

struct plf_counter plf_counters[PLF_COUNTERS + 1];

uint64_t plf_counter_ticks(unsigned counter)
{
	const struct plf_counter_config *config = &plf_counter_config[counter];

	return config->tick_ns ? plf_port_now_ns() / config->tick_ns : plf_counters[counter].ticks;
}

/* When the counter's next alarm expires; UINT64_MAX: never, or later than a clock can show. */
static uint64_t next_ns(unsigned counter)
{
	unsigned first = plf_counters[counter].first;
	uint64_t at_ns;

	if (!plf_counter_config[counter].tick_ns || !first ||
	    __builtin_mul_overflow(plf_alarms[first - 1].expires,
				   plf_counter_config[counter].tick_ns, &at_ns))
		return UINT64_MAX;
	return at_ns;
}

void plf_set_timer(void)
{
	struct plf_core *core = plf_this_core();
	uint64_t first_ns = UINT64_MAX;

	for (unsigned counter = 0; counter < PLF_COUNTERS; counter++)
		if (plf_is_own(core, plf_counter_config[counter].core) &&
		    next_ns(counter) < first_ns)
			first_ns = next_ns(counter);
	plf_port_set_timer(first_ns);
	plf_timer_is_set(core, PLF_TIMER_ALARMS, first_ns);
}

struct plf_result plf_increment_later(uintptr_t counter, uintptr_t b, uintptr_t c,
				      struct plf_core *core)
{
	if (counter >= PLF_COUNTERS || plf_counter_config[counter].tick_ns)
		return plf_status(E_OS_ID);
	if (!plf_is_own(core, plf_counter_config[counter].core))
		return plf_status(E_OS_CORE);
	plf_counters[counter].ticks++;
	plf_expire((unsigned)counter);
	return plf_status(E_OK);
}

struct plf_result plf_increment_counter(uintptr_t counter, uintptr_t b, uintptr_t c,
					struct plf_core *core)
{
	struct plf_result result = plf_increment_later(counter, b, c, core);

	plf_preempt_if_due(core);
	return result;
}
