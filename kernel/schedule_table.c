/* SPDX-License-Identifier: MIT */
/*
 * Schedule tables: AUTOSAR OS 4.x, Sections 7.3 and 8.4. Each table has an alarm, which expires in
 * turn for each of its expiry points and for its end: kernel/expiry.h. Starting, stopping and going
 * on to the next point take time that grows with the alarms and tables set on the counter. The time
 * of an expiry point also grows with its actions.
 *
 * Invariants between kernel entries:
 *  T1  the alarm of a table is set if and only if it is RUNNING. `point` is then the next expiry
 *      point or, behind the last one, the end;
 *  T2  a table is NEXT if and only if exactly one other table, its `from`, has it as `next`. That
 *      table is RUNNING or WAITING.
 */
#include "schedule_table.h"
#include "cores.h"
#include "expiry.h"
#include "mode.h"

struct plf_schedule_table plf_schedule_tables[PLF_SCHEDULE_TABLES + 1];

/* Set the table's alarm, but not the timer. */
static void await(unsigned table, uint64_t expires)
{
	plf_alarms[plf_alarm_of_table(table)].expires = expires;
	plf_insert_alarm(plf_alarm_of_table(table));
}

/* Begin the table: its offset 0 is at `at`. */
static void begin(unsigned table, uint64_t at)
{
	plf_schedule_tables[table].state = SCHEDULETABLE_RUNNING;
	plf_schedule_tables[table].point = 0;
	await(table, at + plf_offset_of(&plf_schedule_table_config[table], 0));
}

void plf_begin_table(unsigned table, uint64_t at)
{
	plf_schedule_tables[table].is_synced = false;
	plf_schedule_tables[table].ahead = 0;
	begin(table, at);
	plf_set_timer_of(plf_alarm_of_table(table));
}

/* Cancel the table that was to begin at this table's end. */
static void forget_next(unsigned table)
{
	if (plf_schedule_tables[table].next)
		plf_schedule_tables[plf_schedule_tables[table].next - 1].state =
			SCHEDULETABLE_STOPPED;
	plf_schedule_tables[table].next = 0;
}

static void end(unsigned table, uint64_t at)
{
	unsigned next = plf_schedule_tables[table].next;

	if (!next && plf_schedule_table_config[table].repeats) {
		begin(table, at);
		return;
	}
	plf_schedule_tables[table].state = SCHEDULETABLE_STOPPED;
	plf_schedule_tables[table].next = 0;
	if (next) {
		plf_schedule_tables[next - 1].ahead = plf_schedule_tables[table].ahead;
		plf_schedule_tables[next - 1].is_synced = plf_schedule_tables[table].is_synced;
		begin(next - 1, at);
	}
}

static void expire(struct plf_core *core, unsigned table, const struct plf_expiry_point *point)
{
	for (unsigned index = 0; index < point->count; index++)
		plf_signal(core, plf_owner_of(OBJECT_SCHEDULETABLE, table),
			   point->signals[index].task, point->signals[index].events);
}

/* The alarm is set again before the signals, so that ErrorHook finds a consistent table. */
void plf_drive_table(struct plf_core *core, unsigned table)
{
	const struct plf_schedule_table_config *config = &plf_schedule_table_config[table];
	uint64_t at = plf_alarms[plf_alarm_of_table(table)].expires;
	unsigned point = plf_schedule_tables[table].point;

	if (point == config->count) {
		end(table, at);
		return;
	}
	await(table, at + plf_adjusted(table));
	plf_schedule_tables[table].point++;
	expire(core, table, &config->points[point]);
}

void plf_start_schedule_tables(void)
{
	const struct plf_core *core = plf_this_core();

	for (unsigned table = 0; table < PLF_SCHEDULE_TABLES; table++) {
		const struct plf_schedule_table_config *config = &plf_schedule_table_config[table];
		unsigned counter = plf_counter_of_table(table);

		if (!plf_starts_in(config->modes) ||
		    !plf_is_own_alarm(core, plf_alarm_of_table(table)))
			continue;
		if (config->start_kind == PLF_STARTS_SYNCHRON)
			plf_schedule_tables[table].state = SCHEDULETABLE_WAITING;
		else if (config->start_kind == PLF_STARTS_ABSOLUTE)
			plf_begin_table(table, plf_when_reached(counter, config->start));
		else
			plf_begin_table(table, plf_counter_ticks(counter) + config->start);
	}
}

/* ---- The services ---------------------------------------------------------------- */

/* The checks of all services of tables. */
StatusType plf_check_table(const struct plf_core *core, uintptr_t index)
{
	if (index >= PLF_SCHEDULE_TABLES)
		return E_OS_ID;
	return plf_is_own_alarm(core, plf_alarm_of_table((unsigned)index)) ? E_OK : E_OS_CORE;
}

/* The checks of both start services. `value` must be from `least` to `most`. */
static StatusType check_start(unsigned table, uintptr_t value, uintptr_t least, uintptr_t most)
{
	if (value < least || value > most)
		return E_OS_VALUE;
	return plf_schedule_tables[table].state == SCHEDULETABLE_STOPPED ? E_OK : E_OS_STATE;
}

struct plf_result plf_start_table_rel(uintptr_t index, uintptr_t offset, uintptr_t c,
				      struct plf_core *core)
{
	StatusType status = plf_check_table(core, index);
	unsigned table = (unsigned)index;

	if (status == E_OK && plf_schedule_table_config[table].sync == PLF_SYNC_IMPLICIT)
		status = E_OS_ID; /* it may begin only at a given value of its counter */
	if (status == E_OK)
		status = check_start(table, offset, 1,
				     plf_counter_config[plf_counter_of_table(table)].highest -
					     plf_offset_of(&plf_schedule_table_config[table], 0));
	if (status == E_OK)
		plf_begin_table(table, plf_counter_ticks(plf_counter_of_table(table)) + offset);
	return plf_status(status);
}

struct plf_result plf_start_table_abs(uintptr_t index, uintptr_t start, uintptr_t c,
				      struct plf_core *core)
{
	StatusType status = plf_check_table(core, index);
	unsigned table = (unsigned)index;

	if (status == E_OK)
		status = check_start(table, start, 0,
				     plf_counter_config[plf_counter_of_table(table)].highest);
	if (status == E_OK)
		plf_begin_table(table, plf_when_reached(plf_counter_of_table(table), start));
	return plf_status(status);
}

struct plf_result plf_stop_table(uintptr_t index, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	StatusType status = plf_check_table(core, index);
	unsigned table = (unsigned)index;

	if (status != E_OK)
		return plf_status(status);
	if (plf_schedule_tables[table].state == SCHEDULETABLE_STOPPED)
		return plf_status(E_OS_NOFUNC);
	if (plf_schedule_tables[table].state == SCHEDULETABLE_NEXT) {
		forget_next(plf_schedule_tables[table].from);
		return plf_status(E_OK);
	}
	forget_next(table);
	if (plf_schedule_tables[table].state == SCHEDULETABLE_RUNNING) {
		plf_take_out_alarm(plf_alarm_of_table(table));
		plf_set_timer_of(plf_alarm_of_table(table));
	}
	plf_schedule_tables[table].state = SCHEDULETABLE_STOPPED;
	return plf_status(E_OK);
}

static StatusType check_next(const struct plf_core *core, uintptr_t from, uintptr_t to)
{
	if (from >= PLF_SCHEDULE_TABLES || to >= PLF_SCHEDULE_TABLES ||
	    plf_counter_of_table((unsigned)from) != plf_counter_of_table((unsigned)to) ||
	    plf_schedule_table_config[from].sync != plf_schedule_table_config[to].sync)
		return E_OS_ID;
	if (plf_check_table(core, from) != E_OK)
		return E_OS_CORE;
	if (plf_schedule_tables[from].state < SCHEDULETABLE_WAITING)
		return E_OS_NOFUNC; /* it is stopped, or is itself a next table */
	return plf_schedule_tables[to].state == SCHEDULETABLE_STOPPED ? E_OK : E_OS_STATE;
}

struct plf_result plf_next_table(uintptr_t from, uintptr_t to, uintptr_t c, struct plf_core *core)
{
	StatusType status = check_next(core, from, to);

	if (status != E_OK)
		return plf_status(status);
	forget_next((unsigned)from);
	plf_schedule_tables[from].next = (uint8_t)(to + 1);
	plf_schedule_tables[to].from = (uint8_t)from;
	plf_schedule_tables[to].state = SCHEDULETABLE_NEXT;
	return plf_status(E_OK);
}

struct plf_result plf_get_table_status(uintptr_t index, uintptr_t b, uintptr_t c,
				       struct plf_core *core)
{
	StatusType status = plf_check_table(core, index);
	unsigned state;

	if (status != E_OK)
		return plf_status(status);
	state = plf_schedule_tables[index].state;
	if (state == SCHEDULETABLE_RUNNING && plf_is_synchronous((unsigned)index))
		state = SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS;
	return plf_value(state);
}
