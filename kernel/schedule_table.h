/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_TABLE_H
#define PLF_SCHEDULE_TABLE_H

/* Schedule tables, of images that have some: schedule_table.c; where one is synchronised,
 * table_sync.c. */
#include "core.h"

struct plf_schedule_table {
	int64_t ahead;	/* while it is being synchronised: so many ticks, less than 0 if behind */
	uint16_t point; /* that comes next; as many as there are: its end */
	uint8_t state;	/* as its status, but for RUNNING_AND_SYNCHRONOUS, which is RUNNING */
	uint8_t next;	/* that begins at its end: index + 1; 0: none */
	uint8_t from;	/* at whose end it begins, if it is NEXT */
	bool is_synced; /* SyncScheduleTable() has said where it should be */
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

/* The offset of a point; that of the end is the duration. */
static inline uint32_t plf_offset_of(const struct plf_schedule_table_config *config, unsigned point)
{
	return point < config->count ? config->points[point].offset : config->duration;
}

/* Start those of autostart. */
void plf_start_schedule_tables(void);

/* The alarm of the table has expired: its next expiry point, or its end. */
void plf_drive_table(struct plf_core *core, unsigned table);

/* For the services. E_OK, E_OS_ID or E_OS_CORE. */
StatusType plf_check_table(const struct plf_core *core, uintptr_t table);

/* Of one that does not run: it begins then, and is not synchronised. */
void plf_begin_table(unsigned table, uint64_t at);

/* ---- Synchronisation: in table_sync.c ------------------------------------------------- */

/* How long it is from the point that expires to the next one, or to the end. */
uint64_t plf_adjusted(unsigned table);

/* Whether a table that runs does so as far as its strategy asks for. */
bool plf_is_synchronous(unsigned table);

#endif
