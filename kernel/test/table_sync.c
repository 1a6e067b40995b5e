/* SPDX-License-Identifier: MIT */
/*
 * Synchronised schedule tables, tick by tick: their begin, the adjustment of each interval between
 * points, and each status (AUTOSAR OS 4.x, 7.4 and 8.4).
 */
#include "table_ticks.h"

TASK(A)
{
	mark('a');
	TerminateTask();
}

TASK(B)
{
	mark('b');
	TerminateTask();
}

static void refuse_ids(void)
{
	static const ScheduleTableType wrong[] = { FREE, EXACT, PLF_SCHEDULE_TABLES,
						   INVALID_SCHEDULETABLE };

	for (unsigned index = 0; index < sizeof(wrong); index++) {
		REFUSED(StartScheduleTableSynchron(wrong[index]), E_OS_ID,
			OSServiceId_StartScheduleTableSynchron);
		REFUSED(SyncScheduleTable(wrong[index], 99), E_OS_ID,
			OSServiceId_SyncScheduleTable);
		REFUSED(SetScheduletableAsync(wrong[index]), E_OS_ID,
			OSServiceId_SetScheduletableAsync);
	}
}

static void refuse(void)
{
	refuse_ids();
	REFUSED(SyncScheduleTable(FOLLOWS_TOO, 10), E_OS_VALUE, OSServiceId_SyncScheduleTable);
	REFUSED(SyncScheduleTable(FOLLOWS_TOO, 9), E_OS_STATE, OSServiceId_SyncScheduleTable);
	REFUSED(SetScheduletableAsync(FOLLOWS_TOO), E_OS_STATE, OSServiceId_SetScheduletableAsync);
	ALLOWED(NextScheduleTable(FOLLOWS, FOLLOWS_TOO));
	REFUSED(SyncScheduleTable(FOLLOWS_TOO, 9), E_OS_STATE, OSServiceId_SyncScheduleTable);
	REFUSED(SetScheduletableAsync(FOLLOWS_TOO), E_OS_STATE, OSServiceId_SetScheduletableAsync);
	REFUSED(StartScheduleTableSynchron(FOLLOWS_TOO), E_OS_STATE,
		OSServiceId_StartScheduleTableSynchron);
	REFUSED(StartScheduleTableSynchron(FOLLOWS), E_OS_STATE,
		OSServiceId_StartScheduleTableSynchron);
	REFUSED(SetScheduletableAsync(FOLLOWS), E_OS_STATE, OSServiceId_SetScheduletableAsync);
	REFUSED(SyncScheduleTable(FOLLOWS, 10), E_OS_VALUE, OSServiceId_SyncScheduleTable);
	REFUSED(StartScheduleTableRel(FOLLOWS, 1), E_OS_STATE, OSServiceId_StartScheduleTableRel);
	REFUSED(NextScheduleTable(FOLLOWS, FREE), E_OS_ID, OSServiceId_NextScheduleTable);
	ALLOWED(StopScheduleTable(FOLLOWS));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_STOPPED);
	tick(10);
	EXPECT_TRAIL("..........");
}

/*
 * The table has waited since the start. After the first call that sets its position, it begins with
 * a round.
 */
static void waits(void)
{
	ALLOWED(StartScheduleTableSynchron(FOLLOWS));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_WAITING);
	tick(3);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_WAITING);
	ALLOWED(SyncScheduleTable(FOLLOWS, 7));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	tick(10);
	EXPECT_TRAIL(".......a....b..");
}

/*
 * The position is 7. The table is 2 ahead, so the interval to B has 1 tick more, and then the
 * interval to A.
 */
static void is_ahead(void)
{
	ALLOWED(SyncScheduleTable(FOLLOWS, 7));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	REFUSED(SyncScheduleTable(FOLLOWS, 10), E_OS_VALUE, OSServiceId_SyncScheduleTable);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	ALLOWED(SyncScheduleTable(FOLLOWS, 5));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	tick(4);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	tick(1);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	tick(12);
	EXPECT_TRAIL("....a.....b.......a.");
}

/*
 * The position is 2. The table is 3 behind, so the interval to A has 1 tick less, and then the
 * interval to B 2 less.
 */
static void is_behind(void)
{
	ALLOWED(SyncScheduleTable(FOLLOWS, 5));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	tick(4);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	tick(5);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	tick(2);
	EXPECT_TRAIL("...b.....a..b.");
}

/*
 * The position is 6. By the shorter way round the table is 4 behind, not 6 ahead, and later 5
 * ahead.
 */
static void goes_the_shorter_way(void)
{
	ALLOWED(SyncScheduleTable(FOLLOWS, 0));
	tick(6);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	tick(2);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	tick(8);
	EXPECT_TRAIL(".....a..b.....a...b.");
	ALLOWED(SyncScheduleTable(FOLLOWS, 1));
	tick(10);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	tick(1);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	tick(9);
	EXPECT_TRAIL(".....a.....b.........a.");
}

/* The position is 1. The interval to B has 5 ticks, because the table was 1 ahead at A. */
static void is_left_alone(void)
{
	ALLOWED(SyncScheduleTable(FOLLOWS, 9));
	ALLOWED(SetScheduletableAsync(FOLLOWS));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	ALLOWED(SetScheduletableAsync(FOLLOWS));
	tick(21);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	EXPECT_TRAIL("....b......a....b......a.");
	ALLOWED(StopScheduleTable(FOLLOWS));
}

/* The position is 2. 5 behind is also 5 ahead, half a round, so the table waits. */
static void is_half_a_round_off(void)
{
	ALLOWED(StartScheduleTableRel(FOLLOWS, 1));
	tick(3);
	ALLOWED(SyncScheduleTable(FOLLOWS, 7));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	tick(13);
	EXPECT_TRAIL("..a....b.........a.");
	ALLOWED(StopScheduleTable(FOLLOWS));
}

/* The next table of a synchronous table is synchronous, too. */
static void stays_synchronous(void)
{
	ALLOWED(StartScheduleTableRel(FOLLOWS, 1));
	ALLOWED(SyncScheduleTable(FOLLOWS, 9));
	ALLOWED(NextScheduleTable(FOLLOWS, FOLLOWS_TOO));
	tick(11);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	ALLOWED(StopScheduleTable(FOLLOWS_TOO));
	EXPECT_TRAIL("..a....b.....");
}

/*
 * The next table continues the adjustment. Its first point was not adjustable, but its second is.
 */
static void goes_on(void)
{
	ALLOWED(StartScheduleTableRel(FOLLOWS, 1));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	ALLOWED(SyncScheduleTable(FOLLOWS, 9)); /* set a tick before its begin */
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	ALLOWED(NextScheduleTable(FOLLOWS, FOLLOWS_TOO));
	tick(7);
	ALLOWED(SyncScheduleTable(FOLLOWS, 3)); /* 3 ahead, but the interval to the end is fixed */
	tick(4);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING);
	tick(5);
	EXPECT_TRAIL("..a....b.....a....b.");
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING);
	tick(6); /* it ends at its end, and does not repeat */
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING);
	tick(1);
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_STOPPED);
	ALLOWED(StartScheduleTableRel(FOLLOWS_TOO, 1)); /* not synchronised again */
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING);
	tick(4);
	ALLOWED(StopScheduleTable(FOLLOWS_TOO));
	EXPECT_TRAIL("........a..b.");
}

/* The counter is itself the time. It has a value, so the table begins. */
static void is_exact(void)
{
	REFUSED(StartScheduleTableRel(EXACT, 1), E_OS_ID, OSServiceId_StartScheduleTableRel);
	ALLOWED(StartScheduleTableAbs(EXACT, 0));
	EXPECT(status_of(EXACT), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	REFUSED(NextScheduleTable(EXACT, FREE), E_OS_ID, OSServiceId_NextScheduleTable);
	ALLOWED(NextScheduleTable(EXACT, EXACT_TOO));
	EXPECT(status_of(EXACT_TOO), SCHEDULETABLE_NEXT);
	while (status_of(EXACT_TOO) == SCHEDULETABLE_NEXT)
		tick(1);
	EXPECT(status_of(EXACT_TOO), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	ALLOWED(StopScheduleTable(EXACT_TOO));
	EXPECT(status_of(EXACT_TOO), SCHEDULETABLE_STOPPED);
}

TASK(MAIN)
{
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_WAITING);
	refuse();
	waits();
	is_ahead();
	is_behind();
	goes_the_shorter_way();
	is_left_alone();
	is_half_a_round_off();
	stays_synchronous();
	goes_on();
	is_exact();
	ShutdownOS(E_OK);
}
