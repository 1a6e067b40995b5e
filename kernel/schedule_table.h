/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_TABLE_H
#define PLF_SCHEDULE_TABLE_H

/*
 * Schedule tables, in images that have them: schedule_table.c, and table_sync.c for
 * synchronisation.
 */
#include "core.h"

struct plf_schedule_table {
	int64_t ahead; /* ticks to correct during synchronisation; below 0: the table is behind */
	/* index of the next point; equal to the number of points at the table's end */
	uint16_t point;
	uint8_t state;	/* its status, with RUNNING for RUNNING_AND_SYNCHRONOUS */
	uint8_t next;	/* the table that begins at its end: index + 1; 0: none */
	uint8_t from;	/* if NEXT: the table at whose end it begins */
	bool is_synced; /* SyncScheduleTable() has given its position */
};

extern struct plf_schedule_table plf_schedule_tables[PLF_SCHEDULE_TABLES + 1];

static inline unsigned plf_alarm_of_table(unsigned table)
{
	return PLF_ALARMS + table;
}

static inline unsigned plf_counter_of_table(unsigned table)
{
	return plf_alarm_config[plf_alarm_of_table(table)].counter;
}

/* Return the offset of a point, or the duration for the end. */
static inline uint32_t plf_offset_of(const struct plf_schedule_table_config *config, unsigned point)
{
	return point < config->count ? config->points[point].offset : config->duration;
}

/* Start the tables of autostart. */
void plf_start_schedule_tables(void);

/* The alarm of the table has expired: serve its next expiry point, or its end. */
void plf_drive_table(struct plf_core *core, unsigned table);

/* The checks of the table services. E_OK, E_OS_ID or E_OS_CORE. */
StatusType plf_check_table(const struct plf_core *core, uintptr_t table);

/* Let a table that does not run begin at that tick, without synchronisation. */
void plf_begin_table(unsigned table, uint64_t at);

/* ---- Synchronisation: in table_sync.c ------------------------------------------------- */

/* Return the ticks from the expiring point to the next point or the end, with the correction. */
uint64_t plf_adjusted(unsigned table);

/* Return whether a running table is as synchronous as its strategy requires. */
bool plf_is_synchronous(unsigned table);

#endif
