/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_TABLE_TICKS_H
#define PLF_TEST_TABLE_TICKS_H

/* Ticks and states for the tests of schedule tables. */
#include "check.h"

static inline void tick(unsigned times)
{
	while (times--) {
		ALLOWED(IncrementCounter(SOFT));
		mark('.');
	}
}

static inline ScheduleTableStatusType status_of(ScheduleTableType table)
{
	ScheduleTableStatusType status = 0xaa;

	ALLOWED(GetScheduleTableStatus(table, &status));
	return status;
}

#endif
