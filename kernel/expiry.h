/* SPDX-License-Identifier: MIT */
#ifndef PLF_EXPIRY_H
#define PLF_EXPIRY_H

/*
 * Becoming due on a counter, for alarms and schedule tables. A schedule table is due by an alarm
 * with a number behind the alarms of the description, so no alarm service reaches it.
 *
 * Only alarm.c and schedule_table.c include this file, and both use all of it. So the functions are
 * static and the compiler decides about inlining, except for the way to a task.
 */
#include "alarm.h"
#include "task_signal.h"

/* Return whether the core drives the counter of the alarm. */
static bool plf_is_own_alarm(const struct plf_core *core, unsigned index)
{
	return plf_is_own(core, plf_counter_config[plf_alarm_config[index].counter].core);
}

static uint8_t *plf_list_with(unsigned alarm)
{
	return &plf_counters[plf_alarm_config[alarm].counter].first[plf_list_of(alarm)];
}

/*
 * Insert the alarm behind alarms with the same expiry, so that they expire in the order in which
 * they were set.
 */
static void plf_insert_alarm(unsigned index)
{
	struct plf_alarm *alarm = &plf_alarms[index];
	uint8_t *link = plf_list_with(index);

	while (*link && plf_alarms[*link - 1].expires <= alarm->expires)
		link = &plf_alarms[*link - 1].next;
	alarm->next = *link;
	alarm->is_set = true;
	*link = (uint8_t)(index + 1);
}

static void plf_take_out_alarm(unsigned index)
{
	uint8_t *link = plf_list_with(index);

	while (*link != index + 1)
		link = &plf_alarms[*link - 1].next;
	*link = plf_alarms[index].next;
	plf_alarms[index].is_set = false;
}

/*
 * Return the tick at which the counter next has `value`, 0 to its highest. If the counter has it
 * now, this is a round later.
 */
static uint64_t plf_when_reached(unsigned counter, uint64_t value)
{
	uint64_t values = (uint64_t)plf_counter_config[counter].highest + 1;
	uint64_t now = plf_counter_ticks(counter);
	uint64_t distance = (value + values - now % values) % values;

	return now + (distance ? distance : values);
}

#endif
