/* SPDX-License-Identifier: MIT */
/* Counters: OSEK 2.2.3, Section 9.1. Of the port's timer, or counted by IncrementCounter(). */
#include "alarm.h"
#include "cores.h"
#include "due.h"
#include "plf_schedule.h"
#include "port.h"
#include "server.h"
#include "service.h"

struct plf_counter plf_counters[PLF_COUNTERS + 1];

uint64_t plf_counter_ticks(unsigned counter)
{
	const struct plf_counter_config *config = &plf_counter_config[counter];

	return config->tick_ns ? plf_port_now_ns() / config->tick_ns : plf_counters[counter].ticks;
}

void plf_set_timer(void)
{
	struct plf_core *core = plf_this_core();

	plf_next_alarm_is(core, plf_next_alarm_ns(core, plf_time_list(core)));
}

struct plf_result plf_increment_later(uintptr_t counter, uintptr_t b, uintptr_t c,
				      struct plf_core *core)
{
	if (counter >= PLF_COUNTERS || plf_counter_config[counter].tick_ns)
		return plf_status(E_OS_ID);
	if (!plf_is_own(core, plf_counter_config[counter].core))
		return plf_status(E_OS_CORE);
	plf_tick((unsigned)counter);
	return plf_status(E_OK);
}

struct plf_result plf_increment_counter(uintptr_t counter, uintptr_t b, uintptr_t c,
					struct plf_core *core)
{
	struct plf_result result = plf_increment_later(counter, b, c, core);

	plf_preempt_if_due(core);
	return result;
}
