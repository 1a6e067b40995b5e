/* SPDX-License-Identifier: MIT */
#ifndef PLF_SCHEDULE_TABLE_H
#define PLF_SCHEDULE_TABLE_H

/* Schedule tables, of images that have some. */
#include "core.h"

/* Start those of autostart. */
void plf_start_schedule_tables(void);

/* The alarm of the table has expired: its next expiry point, or its end. */
void plf_drive_table(struct plf_core *core, unsigned table);

#endif
