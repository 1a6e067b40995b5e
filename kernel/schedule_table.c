/* SPDX-License-Identifier: MIT */
/*
 * Schedule tables: AUTOSAR OS 4.x, Sections 7.3 and 8.4. A table is due by an alarm of its own, one
 * after the other for each of its expiry points and for its end: kernel/expiry.h. To start and to
 * stop one, and to go on from one point to the next, grows with the alarms and tables that are
 * due on its counter; an expiry point also with what it does.
 *
 * Invariants between kernel entries:
 *  T1 the alarm of a table is set if and only if it is running. `point` is then what comes: an
 *     expiry point or, behind the last one, the end.
 *  T2 a table is NEXT if and only if one other table, that of `from`, has it as `next`; and that
 *     one is running.
 */
#include "schedule_table.h"
#include "cores.h"
#include "expiry.h"
#include "mode.h"

struct plf_schedule_table {
	uint16_t point;
	uint8_t state; /* as its status */
	uint8_t next;  /* that begins at its end: index + 1; 0: none */
	uint8_t from;  /* at whose end it begins, if it is NEXT */
};

static struct plf_schedule_table tables[PLF_SCHEDULE_TABLES + 1];

static unsigned alarm_of(unsigned table)
{
	return PLF_ALARMS + table;
}

static unsigned counter_of(unsigned table)
{
	return plf_alarm_config[alarm_of(table)].counter;
}

/* The offset of a point; that of the end is the duration. */
static uint32_t offset_of(const struct plf_schedule_table_config *config, unsigned point)
{
	return point < config->count ? config->points[point].offset : config->duration;
}

/* Its alarm is set, but not the timer. */
static void await(unsigned table, uint64_t expires)
{
	plf_alarms[alarm_of(table)].expires = expires;
	plf_insert_alarm(alarm_of(table));
}

/* Its offset 0 is there. */
static void begin(unsigned table, uint64_t at)
{
	tables[table].state = SCHEDULETABLE_RUNNING;
	tables[table].point = 0;
	await(table, at + offset_of(&plf_schedule_table_config[table], 0));
}

static void begin_by_call(unsigned table, uint64_t at)
{
	begin(table, at);
	plf_set_timer_of(alarm_of(table));
}

/* It has no next one any more. */
static void forget_next(unsigned table)
{
	if (tables[table].next)
		tables[tables[table].next - 1].state = SCHEDULETABLE_STOPPED;
	tables[table].next = 0;
}

static void end(unsigned table, uint64_t at)
{
	unsigned next = tables[table].next;

	if (!next && plf_schedule_table_config[table].repeats) {
		begin(table, at);
		return;
	}
	tables[table].state = SCHEDULETABLE_STOPPED;
	tables[table].next = 0;
	if (next)
		begin(next - 1, at);
}

static void expire(struct plf_core *core, const struct plf_expiry_point *point)
{
	for (unsigned index = 0; index < point->count; index++)
		plf_signal(core, point->signals[index].task, point->signals[index].events);
}

/* It is due again before its signals: so whatever ErrorHook asks for is right. */
void plf_drive_table(struct plf_core *core, unsigned table)
{
	const struct plf_schedule_table_config *config = &plf_schedule_table_config[table];
	uint64_t at = plf_alarms[alarm_of(table)].expires;
	unsigned point = tables[table].point;

	if (point == config->count) {
		end(table, at);
		return;
	}
	tables[table].point++;
	await(table, at + offset_of(config, point + 1) - offset_of(config, point));
	expire(core, &config->points[point]);
}

void plf_start_schedule_tables(void)
{
	const struct plf_core *core = plf_this_core();

	for (unsigned table = 0; table < PLF_SCHEDULE_TABLES; table++) {
		const struct plf_schedule_table_config *config = &plf_schedule_table_config[table];
		unsigned counter = counter_of(table);

		if (!plf_starts_in(config->modes) || !plf_is_own_alarm(core, alarm_of(table)))
			continue;
		if (config->start_kind == PLF_STARTS_ABSOLUTE)
			begin_by_call(table, plf_when_reached(counter, config->start));
		else
			begin_by_call(table, plf_counter_ticks(counter) + config->start);
	}
}

/* ---- The services ---------------------------------------------------------------- */

/* The checks of all of them. */
static StatusType check_table(const struct plf_core *core, uintptr_t index)
{
	if (index >= PLF_SCHEDULE_TABLES)
		return E_OS_ID;
	return plf_is_own_alarm(core, alarm_of((unsigned)index)) ? E_OK : E_OS_CORE;
}

/* Those of both that start one: `most` and `least` of what it takes. */
static StatusType check_start(unsigned table, uintptr_t value, uintptr_t least, uintptr_t most)
{
	if (value < least || value > most)
		return E_OS_VALUE;
	return tables[table].state == SCHEDULETABLE_STOPPED ? E_OK : E_OS_STATE;
}

struct plf_result plf_start_table_rel(uintptr_t index, uintptr_t offset, uintptr_t c,
				      struct plf_core *core)
{
	StatusType status = check_table(core, index);
	unsigned table = (unsigned)index;

	if (status == E_OK)
		status = check_start(table, offset, 1,
				     plf_counter_config[counter_of(table)].highest -
					     offset_of(&plf_schedule_table_config[table], 0));
	if (status == E_OK)
		begin_by_call(table, plf_counter_ticks(counter_of(table)) + offset);
	return plf_status(status);
}

struct plf_result plf_start_table_abs(uintptr_t index, uintptr_t start, uintptr_t c,
				      struct plf_core *core)
{
	StatusType status = check_table(core, index);
	unsigned table = (unsigned)index;

	if (status == E_OK)
		status =
			check_start(table, start, 0, plf_counter_config[counter_of(table)].highest);
	if (status == E_OK)
		begin_by_call(table, plf_when_reached(counter_of(table), start));
	return plf_status(status);
}

struct plf_result plf_stop_table(uintptr_t index, uintptr_t b, uintptr_t c, struct plf_core *core)
{
	StatusType status = check_table(core, index);
	unsigned table = (unsigned)index;

	if (status != E_OK)
		return plf_status(status);
	switch (tables[table].state) {
	case SCHEDULETABLE_STOPPED:
		return plf_status(E_OS_NOFUNC);
	case SCHEDULETABLE_NEXT:
		forget_next(tables[table].from);
		return plf_status(E_OK);
	default:
		forget_next(table);
		tables[table].state = SCHEDULETABLE_STOPPED;
		plf_take_out_alarm(alarm_of(table));
		plf_set_timer_of(alarm_of(table));
		return plf_status(E_OK);
	}
}

static StatusType check_next(const struct plf_core *core, uintptr_t from, uintptr_t to)
{
	if (from >= PLF_SCHEDULE_TABLES || to >= PLF_SCHEDULE_TABLES ||
	    counter_of((unsigned)from) != counter_of((unsigned)to))
		return E_OS_ID;
	if (check_table(core, from) != E_OK)
		return E_OS_CORE;
	if (tables[from].state < SCHEDULETABLE_WAITING)
		return E_OS_NOFUNC; /* it is stopped, or itself a next one */
	return tables[to].state == SCHEDULETABLE_STOPPED ? E_OK : E_OS_STATE;
}

struct plf_result plf_next_table(uintptr_t from, uintptr_t to, uintptr_t c, struct plf_core *core)
{
	StatusType status = check_next(core, from, to);

	if (status != E_OK)
		return plf_status(status);
	forget_next((unsigned)from);
	tables[from].next = (uint8_t)(to + 1);
	tables[to].from = (uint8_t)from;
	tables[to].state = SCHEDULETABLE_NEXT;
	return plf_status(E_OK);
}

struct plf_result plf_get_table_status(uintptr_t index, uintptr_t b, uintptr_t c,
				       struct plf_core *core)
{
	StatusType status = check_table(core, index);

	return status == E_OK ? plf_value(tables[index].state) : plf_status(status);
}
