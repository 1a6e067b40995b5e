/* SPDX-License-Identifier: MIT */
/*
 * Counters: OSEK 2.2.3, Section 9.1; AUTOSAR OS 4.x, GetCounterValue() and GetElapsedValue(). The
 * port's timer or IncrementCounter() advances a counter.
 */
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

/* E_OK, or the reason why its value is not available. */
static StatusType check_counter(const struct plf_core *core, uintptr_t counter)
{
	if (counter >= PLF_COUNTERS)
		return E_OS_ID;
	return plf_is_own(core, plf_counter_config[counter].core) ? E_OK : E_OS_CORE;
}

/* Return 0 to `highest`, after which the value wraps to 0. */
static uint64_t value_of(uintptr_t counter)
{
	uint64_t values = (uint64_t)plf_counter_config[counter].highest + 1;

	return plf_counter_ticks((unsigned)counter) % values;
}

struct plf_result plf_get_counter_value(uintptr_t counter, uintptr_t b, uintptr_t c,
					struct plf_core *core)
{
	StatusType status = check_counter(core, counter);

	return status == E_OK ? plf_value(value_of(counter)) : plf_status(status);
}

/* Return the ticks since a value, and the present value in the upper half. */
struct plf_result plf_get_elapsed_value(uintptr_t counter, uintptr_t before, uintptr_t c,
					struct plf_core *core)
{
	StatusType status = check_counter(core, counter);
	uint64_t now, values;

	if (status != E_OK)
		return plf_status(status);
	if (before > plf_counter_config[counter].highest)
		return plf_status(E_OS_VALUE);
	now = value_of(counter);
	values = (uint64_t)plf_counter_config[counter].highest + 1;
	return plf_value(now << 32 | (now < before ? now + values - before : now - before));
}
