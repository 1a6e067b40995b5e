/* SPDX-License-Identifier: MIT */
/*
 * Schedule tables belong to a core, and act on tasks of all cores. For other cores they are
 * E_OS_CORE.
 */
#include "several_cores.h"

static uint32_t came, woken, stopped;

TASK(HERE)
{
	EXPECT(GetCoreID(), 0);
	count(&came);
	TerminateTask();
}

TASK(THERE)
{
	for (unsigned times = 0; times < 2; times++) {
		EXPECT(WaitEvent(EV), E_OK);
		EXPECT(ClearEvent(EV), E_OK);
		count(&woken);
	}
	EXPECT(StopScheduleTable(OUT), E_OK);
	EXPECT(ClearEvent(EV), E_OK); /* from a point before the stop */
	show(&stopped, 1);
	EXPECT(WaitEvent(EV), E_OK);
	show(&stopped, 2);
	TerminateTask();
}

static void refuse(void)
{
	ScheduleTableStatusType status;

	REFUSED(StartScheduleTableRel(OUT, 1), E_OS_CORE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableRel(OUT, 0), E_OS_CORE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableAbs(OUT_TOO, 1), E_OS_CORE, OSServiceId_StartScheduleTableAbs);
	REFUSED(StopScheduleTable(OUT), E_OS_CORE, OSServiceId_StopScheduleTable);
	REFUSED(NextScheduleTable(OUT, OUT_TOO), E_OS_CORE, OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(BACK, OUT_TOO), E_OS_ID, OSServiceId_NextScheduleTable);
	REFUSED(GetScheduleTableStatus(OUT, &status), E_OS_CORE,
		OSServiceId_GetScheduleTableStatus);
	REFUSED(StartScheduleTableRel(OUT_EXACT, 1), E_OS_CORE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableSynchron(OUT), E_OS_CORE, OSServiceId_StartScheduleTableSynchron);
	REFUSED(StartScheduleTableSynchron(OUT_FOLLOWS), E_OS_CORE,
		OSServiceId_StartScheduleTableSynchron);
	REFUSED(SyncScheduleTable(OUT_FOLLOWS, 9), E_OS_CORE, OSServiceId_SyncScheduleTable);
	REFUSED(SetScheduletableAsync(OUT_FOLLOWS), E_OS_CORE, OSServiceId_SetScheduletableAsync);
	REFUSED(StopScheduleTable(PLF_SCHEDULE_TABLES), E_OS_ID, OSServiceId_StopScheduleTable);
}

TASK(MAIN)
{
	uint32_t before;

	refuse();
	AWAIT(look(&woken) == 2); /* by the timer of the other core */
	AWAIT(look(&stopped) == 1);
	AWAIT(state_of(HERE) == SUSPENDED);
	before = look(&came);
	CHECK(before >= 4);
	ALLOWED(StartScheduleTableRel(BACK, 1));
	AWAIT(look(&stopped) == 2);
	EXPECT(look(&came), before);
	ShutdownAllCores(E_OK);
}
