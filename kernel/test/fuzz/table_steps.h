/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FUZZ_TABLE_STEPS_H
#define PLF_TEST_FUZZ_TABLE_STEPS_H

/* The steps of services of schedule tables. steps.h includes this file after its tables. */

#if PLF_SCHEDULE_TABLES
static const ScheduleTableType schedule_tables[] = { S0, S1, S2, S3 };

_Static_assert(sizeof(schedule_tables) == PLF_SCHEDULE_TABLES, "none is missing");

static inline struct answer answer_of_table(const struct step *step)
{
	ScheduleTableType table = OBJECT(schedule_tables, step->object);
	ScheduleTableType following = (ScheduleTableType)step->first; /* next table */
	ScheduleTableStatusType state = 0xee;
	StatusType status;

	switch (step->code) {
	case STEP_START_TABLE_REL:
		return (struct answer) { StartScheduleTableRel(table, (TickType)step->first), 0,
					 0 };
	case STEP_START_TABLE_ABS:
		return (struct answer) { StartScheduleTableAbs(table, (TickType)step->first), 0,
					 0 };
	case STEP_STOP_TABLE:
		return (struct answer) { StopScheduleTable(table), 0, 0 };
	case STEP_NEXT_TABLE:
		status = NextScheduleTable(table, OBJECT(schedule_tables, following));
		return (struct answer) { status, 0, 0 };
	default:
		status = GetScheduleTableStatus(table, WHERE(step, state));
		return (struct answer) { status, state, 0 };
	}
}
#else
static inline struct answer answer_of_table(const struct step *step)
{
	(void)step;
	return (struct answer) { E_OK, 0, 0 };
}
#endif

#endif
