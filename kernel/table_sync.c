/* SPDX-License-Identifier: MIT */
/*
 * Schedule tables that follow another time: AUTOSAR OS 4.x, Sections 7.4 and 8.4. Under the
 * explicit strategy SyncScheduleTable() states the position that a table should have. Each way from
 * an expiry point to the next then becomes longer or shorter, as far as that point allows, until
 * the position is right. Under the implicit strategy that time is the table's counter, so the
 * position is always right.
 *
 * The position of a running table is its distance from the beginning, 0 to its duration, which is 0
 * again. `ahead` is its lead over the position that it should have, by the shorter way round. Both
 * positions advance with the counter, so `ahead` changes only when a way is adjusted.
 */
#include "alarm.h"
#include "schedule_table.h"
#include "service.h"

static const struct plf_schedule_table_config *config_of(unsigned table)
{
	return &plf_schedule_table_config[table];
}

/* Return by how many ticks the way to a point becomes longer; below 0: shorter. */
static int64_t adjustment(const struct plf_schedule_table *table,
			  const struct plf_expiry_point *point)
{
	if (table->ahead > 0)
		return table->ahead < point->lengthen ? table->ahead : point->lengthen;
	return -table->ahead < point->shorten ? table->ahead : -(int64_t)point->shorten;
}

/* If the table repeats, the way to its end is adjusted as the way to its first point. */
uint64_t plf_adjusted(unsigned index)
{
	const struct plf_schedule_table_config *config = config_of(index);
	struct plf_schedule_table *table = &plf_schedule_tables[index];
	unsigned next = table->point + 1U;
	uint64_t way = plf_offset_of(config, next) - plf_offset_of(config, table->point);
	int64_t more;

	if (!PLF_EXPLICIT_TABLES || (next == config->count && !config->repeats))
		return way;
	more = adjustment(table, &config->points[next % config->count]);
	table->ahead -= more;
	return way + (uint64_t)more;
}

bool plf_is_synchronous(unsigned table)
{
	int64_t ahead = plf_schedule_tables[table].ahead;

	if (config_of(table)->sync == PLF_SYNC_IMPLICIT)
		return true;
	return plf_schedule_tables[table].is_synced &&
	       (ahead < 0 ? -ahead : ahead) <= config_of(table)->precision;
}

/* Return how many ticks a running table is ahead of a position. */
static int64_t ahead_of(unsigned table, uint64_t position)
{
	int64_t duration = config_of(table)->duration;
	uint64_t now = plf_counter_ticks(plf_counter_of_table(table));
	uint64_t expires = plf_alarms[plf_alarm_of_table(table)].expires;
	uint64_t own = plf_offset_of(config_of(table), plf_schedule_tables[table].point);
	int64_t ahead = (int64_t)(own + now - expires - position) % duration;

	if (2 * ahead > duration)
		return ahead - duration;
	return 2 * ahead <= -duration ? ahead + duration : ahead;
}

/* ---- The services ---------------------------------------------------------------- */

static StatusType check_explicit(const struct plf_core *core, uintptr_t table)
{
	StatusType status = plf_check_table(core, table);

	if (status == E_OK && config_of((unsigned)table)->sync != PLF_SYNC_EXPLICIT)
		return E_OS_ID;
	return status;
}

struct plf_result plf_start_table_synchron(uintptr_t table, uintptr_t b, uintptr_t c,
					   struct plf_core *core)
{
	StatusType status = check_explicit(core, table);

	if (status != E_OK)
		return plf_status(status);
	if (plf_schedule_tables[table].state != SCHEDULETABLE_STOPPED)
		return plf_status(E_OS_STATE);
	plf_schedule_tables[table].state = SCHEDULETABLE_WAITING;
	return plf_status(E_OK);
}

struct plf_result plf_sync_table(uintptr_t index, uintptr_t value, uintptr_t c,
				 struct plf_core *core)
{
	StatusType status = check_explicit(core, index);
	struct plf_schedule_table *table;

	if (status != E_OK)
		return plf_status(status);
	if (value >= config_of((unsigned)index)->duration)
		return plf_status(E_OS_VALUE);
	table = &plf_schedule_tables[index];
	if (table->state < SCHEDULETABLE_WAITING)
		return plf_status(E_OS_STATE);
	if (table->state == SCHEDULETABLE_WAITING)
		plf_begin_table((unsigned)index,
				plf_counter_ticks(plf_counter_of_table((unsigned)index)) +
					config_of((unsigned)index)->duration - value);
	else
		table->ahead = ahead_of((unsigned)index, value);
	table->is_synced = true;
	return plf_status(E_OK);
}

struct plf_result plf_set_table_async(uintptr_t index, uintptr_t b, uintptr_t c,
				      struct plf_core *core)
{
	StatusType status = check_explicit(core, index);

	if (status != E_OK)
		return plf_status(status);
	if (plf_schedule_tables[index].state != SCHEDULETABLE_RUNNING)
		return plf_status(E_OS_STATE);
	plf_schedule_tables[index].is_synced = false;
	plf_schedule_tables[index].ahead = 0;
	return plf_status(E_OK);
}
