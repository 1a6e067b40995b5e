/* SPDX-License-Identifier: MIT */
/*
 * Schedule tables that are synchronised, tick by tick: when they begin, by how much each way from
 * point to point becomes longer or shorter, and each status (AUTOSAR OS 4.x, 7.4 and 8.4).
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

/* It began to wait with the kernel; and begins with a round, behind the first call that says where
 * it is. */
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

/* Its position is 7. What is 2 ahead takes 1 more to B, and then 1 more to A. */
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

/* Its position is 2. What is 3 behind takes 1 less to A, and then 2 less to B. */
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

/* Its position is 6. By the shorter way round it is 4 behind, not 6 ahead; and then 5 ahead. */
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

/* Its position is 1: the way to B has 5 ticks, since it was 1 ahead at A. */
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

/* Its position is 2. What is 5 behind is 5 ahead, too: half a round, and it waits. */
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

/* What is next to one that is synchronous is so. */
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

/* The table that is next goes on with it; its own first point was not adjustable, its second is. */
static void goes_on(void)
{
	ALLOWED(StartScheduleTableRel(FOLLOWS, 1));
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING);
	ALLOWED(SyncScheduleTable(FOLLOWS, 9)); /* a tick before its beginning it is there */
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_RUNNING_AND_SYNCHRONOUS);
	ALLOWED(NextScheduleTable(FOLLOWS, FOLLOWS_TOO));
	tick(7);
	ALLOWED(SyncScheduleTable(FOLLOWS, 3)); /* 3 ahead, but the way to the end is chosen */
	tick(4);
	EXPECT(status_of(FOLLOWS), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING);
	tick(5);
	EXPECT_TRAIL("..a....b.....a....b.");
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING);
	tick(6); /* it ends where it ends: it does not repeat */
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING);
	tick(1);
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_STOPPED);
	ALLOWED(StartScheduleTableRel(FOLLOWS_TOO, 1)); /* and is not synchronised again */
	EXPECT(status_of(FOLLOWS_TOO), SCHEDULETABLE_RUNNING);
	tick(4);
	ALLOWED(StopScheduleTable(FOLLOWS_TOO));
	EXPECT_TRAIL("........a..b.");
}

/* The counter itself is the time: it has a value, and the table begins. */
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
