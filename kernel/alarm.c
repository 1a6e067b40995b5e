/* SPDX-License-Identifier: MIT */
/*
 * Alarms: OSEK 2.2.3, Sections 9.2 and 13.6. Setting, cancelling and expiring take time that grows
 * with the alarms that are set on the counter.
 *
 * A cycle is never shorter than the counter's least cycle, even in standard status. A shorter cycle
 * could keep the kernel busy for ever.
 */
#include "alarm.h"
#include "callback.h"
#include "cores.h"
#include "due.h"
#include "expiry.h"
#include "interrupt.h"
#include "mode.h"
#include "port.h"
#include "schedule_table.h"
#include "timing.h"

struct plf_alarm plf_alarms[PLF_ALL_ALARMS + 1];

static void set(unsigned index, uint64_t expires, uint32_t cycle)
{
	plf_alarms[index].expires = expires;
	plf_alarms[index].cycle = cycle;
	plf_insert_alarm(index);
	plf_set_timer_of(index);
}

static void act(const struct plf_alarm_config *config)
{
	struct plf_core *core = plf_this_core();

	if (PLF_CALLBACKS && config->action == PLF_ALARM_CALLS)
		plf_call_back(core, config->object, PLF_IN_CALLBACK);
	else if (PLF_INCREMENTS && config->action == PLF_ALARM_INCREMENTS)
		plf_tick(config->object);
	else if (PLF_SCHEDULE_TABLES && config->action == PLF_ALARM_DRIVES)
		plf_drive_table(core, config->object);
	else
		plf_signal(core, plf_owner_of(OBJECT_ALARM, (unsigned)(config - plf_alarm_config)),
			   config->task, config->events);
}

/* A software counter needs none, because the call is the arrival, as with every service. */
static void note_arrival(unsigned counter, const struct plf_alarm *alarm)
{
	uint64_t tick_ns = plf_counter_config[counter].tick_ns;

	if (tick_ns)
		plf_arrived(plf_this_core(), alarm->expires * tick_ns);
	if (PLF_TIME_FRAMES && tick_ns)
		plf_arrives_as_due(alarm->expires * tick_ns);
}

void plf_expire(unsigned counter)
{
	unsigned list = plf_list_now(plf_this_core(), counter);
	uint64_t now = plf_counter_ticks(counter);
	unsigned first;

	while ((first = plf_counters[counter].first[list]) &&
	       plf_alarms[first - 1].expires <= now) {
		struct plf_alarm *alarm = &plf_alarms[first - 1];

		note_arrival(counter, alarm);
		plf_take_out_alarm(first - 1);
		if (alarm->cycle) {
			alarm->expires += alarm->cycle;
			plf_insert_alarm(first - 1);
		}
		act(&plf_alarm_config[first - 1]);
	}
	if (PLF_TIME_FRAMES && plf_counter_config[counter].tick_ns)
		plf_arrives_as_due(0);
}

void plf_timer(void)
{
	struct plf_core *core = plf_this_core();

	if (!plf_timer_is_for_alarms(core))
		return;
	plf_begin_interrupt(core);
	plf_expire_all(core);
	plf_set_timer();
	plf_end_interrupt(core);
}

void plf_start_alarms(void)
{
	const struct plf_core *core = plf_this_core();

	for (unsigned index = 0; index < PLF_ALARMS; index++) {
		const struct plf_alarm_config *config = &plf_alarm_config[index];

		if (plf_starts_in(config->modes) && plf_is_own_alarm(core, index))
			set(index, plf_counter_ticks(config->counter) + config->first,
			    config->cycle);
	}
}

/* The checks of all alarm services. */
static StatusType check_alarm(const struct plf_core *core, uintptr_t index)
{
	if (index >= PLF_ALARMS)
		return E_OS_ID;
	return plf_is_own_alarm(core, (unsigned)index) ? E_OK : E_OS_CORE;
}

/* The checks of SetRelAlarm() and SetAbsAlarm(). */
static StatusType check(const struct plf_core *core, uintptr_t index, uintptr_t start,
			uintptr_t least, uintptr_t cycle)
{
	const struct plf_counter_config *counter;
	StatusType status = check_alarm(core, index);

	if (status != E_OK)
		return status;
	counter = &plf_counter_config[plf_alarm_config[index].counter];
	if (start < least || start > counter->highest)
		return E_OS_VALUE;
	if (cycle && (cycle < counter->min_cycle || cycle > counter->highest))
		return E_OS_VALUE;
	return plf_alarms[index].is_set ? E_OS_STATE : E_OK;
}

struct plf_result plf_set_rel_alarm(uintptr_t index, uintptr_t increment, uintptr_t cycle,
				    struct plf_core *core)
{
	StatusType status = check(core, index, increment, 1, cycle);

	if (status == E_OK)
		set((unsigned)index, plf_counter_ticks(plf_alarm_config[index].counter) + increment,
		    (uint32_t)cycle);
	return plf_status(status);
}

struct plf_result plf_set_abs_alarm(uintptr_t index, uintptr_t start, uintptr_t cycle,
				    struct plf_core *core)
{
	StatusType status = check(core, index, start, 0, cycle);

	if (status == E_OK) {
		unsigned counter = plf_alarm_config[index].counter;

		set((unsigned)index, plf_when_reached(counter, start), (uint32_t)cycle);
	}
	return plf_status(status);
}

struct plf_result plf_cancel_alarm(uintptr_t index, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	StatusType status = check_alarm(core, index);

	if (status != E_OK)
		return plf_status(status);
	if (!plf_alarms[index].is_set)
		return plf_status(E_OS_NOFUNC);
	plf_take_out_alarm((unsigned)index);
	plf_set_timer_of((unsigned)index);
	return plf_status(E_OK);
}

struct plf_result plf_get_alarm(uintptr_t index, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	StatusType status = check_alarm(core, index);
	uint64_t now;

	if (status != E_OK)
		return plf_status(status);
	if (!plf_alarms[index].is_set)
		return plf_status(E_OS_NOFUNC);
	now = plf_counter_ticks(plf_alarm_config[index].counter);
	return plf_value(plf_alarms[index].expires > now ? plf_alarms[index].expires - now : 0);
}

/* The three members of AlarmBaseType are constants. The stub reads them in turn. */
struct plf_result plf_get_alarm_base(uintptr_t index, uintptr_t member, uintptr_t c,
				     struct plf_core *core)
{
	const struct plf_counter_config *counter;
	StatusType status = check_alarm(core, index);

	if (status != E_OK)
		return plf_status(status);
	counter = &plf_counter_config[plf_alarm_config[index].counter];
	switch (member) {
	case 0:
		return plf_value(counter->highest);
	case 1:
		return plf_value(counter->ticks_per_base);
	default:
		return plf_value(counter->min_cycle);
	}
}
