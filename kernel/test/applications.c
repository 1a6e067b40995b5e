/* SPDX-License-Identifier: MIT */
/*
 * OS-Applications: AUTOSAR OS 4.x, Sections 7.6 and 8.4. MAIN belongs to CONTROL, and most other
 * objects belong to COMFORT.
 */
#include "applications.h"
#include "check.h"

struct found found;

/* A task of COMFORT, which checks that the refused calls of MAIN had no effect. */
TASK(OPEN)
{
	ScheduleTableStatusType status;
	TaskStateType state;
	TickType ticks;

	mark('o');
	EXPECT(GetApplicationID(), COMFORT);
	EXPECT(found.pre_task, COMFORT);
	ALLOWED(GetTaskState(CLOSED, &state));
	EXPECT(state, SUSPENDED);
	REFUSED(GetAlarm(CLOSED_A, &ticks), E_OS_NOFUNC, OSServiceId_GetAlarm);
	ALLOWED(GetScheduleTableStatus(CLOSED_T, &status));
	EXPECT(status, SCHEDULETABLE_STOPPED);
	REFUSED(ActivateTask(MAIN), E_OS_ACCESS, OSServiceId_ActivateTask);
	REFUSED(IncrementCounter(MINE_C), E_OS_ACCESS, OSServiceId_IncrementCounter);
	TerminateTask();
}

TASK(CLOSED)
{
	mark('c');
	TerminateTask();
}

TASK(SERVED)
{
	mark('s');
	EXPECT(GetApplicationID(), COMFORT);
	TerminateTask();
}

static void says_where_it_runs(void)
{
	EXPECT(found.startup, INVALID_OSAPPLICATION);
	EXPECT(found.pre_task, CONTROL);
	EXPECT(GetApplicationID(), CONTROL);
	EXPECT(GetCurrentApplicationID(), CONTROL);
	REFUSED(ActivateTask(INVALID_TASK), E_OS_ID, OSServiceId_ActivateTask);
	EXPECT(found.of_error, CONTROL);
	EXPECT(found.of_closed, E_OK);
	EXPECT(found.in_error, ACCESS);
}

static void refuses_tasks_of_others(void)
{
	EventMaskType events;
	TaskStateType state;

	REFUSED(ActivateTask(CLOSED), E_OS_ACCESS, OSServiceId_ActivateTask);
	REFUSED(ChainTask(CLOSED), E_OS_ACCESS, OSServiceId_ChainTask);
	REFUSED(SetEvent(CLOSED, EV), E_OS_ACCESS, OSServiceId_SetEvent);
	REFUSED(GetEvent(CLOSED, &events), E_OS_ACCESS, OSServiceId_GetEvent);
	REFUSED(GetTaskState(CLOSED, &state), E_OS_ACCESS, OSServiceId_GetTaskState);
	ALLOWED(ActivateTask(OPEN));
	EXPECT_TRAIL("o");
	ALLOWED(GetTaskState(OPEN, &state));
	ALLOWED(SetEvent(MAIN, EV));
	ALLOWED(GetEvent(MAIN, &events));
}

static void refuses_alarms_of_others(void)
{
	AlarmBaseType base;
	TickType ticks;

	REFUSED(GetAlarmBase(CLOSED_A, &base), E_OS_ACCESS, OSServiceId_GetAlarmBase);
	REFUSED(GetAlarm(CLOSED_A, &ticks), E_OS_ACCESS, OSServiceId_GetAlarm);
	REFUSED(SetRelAlarm(CLOSED_A, 1, 0), E_OS_ACCESS, OSServiceId_SetRelAlarm);
	REFUSED(SetAbsAlarm(CLOSED_A, 1, 0), E_OS_ACCESS, OSServiceId_SetAbsAlarm);
	REFUSED(CancelAlarm(CLOSED_A), E_OS_ACCESS, OSServiceId_CancelAlarm);
	ALLOWED(GetAlarmBase(OPEN_A, &base));
	ALLOWED(SetRelAlarm(OPEN_A, 3, 0));
	ALLOWED(GetAlarm(OPEN_A, &ticks));
	ALLOWED(CancelAlarm(OPEN_A));
	ALLOWED(SetAbsAlarm(OPEN_A, 1, 0));
	ALLOWED(CancelAlarm(OPEN_A));
}

/* The description allows the actions of CONTROL's alarms. */
static void refuses_counters_of_others(void)
{
	TickType value = 0, elapsed;

	REFUSED(IncrementCounter(CLOSED_C), E_OS_ACCESS, OSServiceId_IncrementCounter);
	REFUSED(GetCounterValue(CLOSED_C, &value), E_OS_ACCESS, OSServiceId_GetCounterValue);
	REFUSED(GetElapsedValue(CLOSED_C, &value, &elapsed), E_OS_ACCESS,
		OSServiceId_GetElapsedValue);
	ALLOWED(SetRelAlarm(MINE_A, 1, 0));
	ALLOWED(IncrementCounter(OPEN_C));
	EXPECT_TRAIL("o");
	ALLOWED(IncrementCounter(MINE_C));
	ALLOWED(GetCounterValue(OPEN_C, &value));
	ALLOWED(GetElapsedValue(OPEN_C, &value, &elapsed));
}

static void refuses_tables_of_others(void)
{
	ScheduleTableStatusType status;

	REFUSED(StartScheduleTableRel(CLOSED_T, 1), E_OS_ACCESS, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableAbs(CLOSED_T, 1), E_OS_ACCESS, OSServiceId_StartScheduleTableAbs);
	REFUSED(StopScheduleTable(CLOSED_T), E_OS_ACCESS, OSServiceId_StopScheduleTable);
	REFUSED(StartScheduleTableSynchron(CLOSED_T), E_OS_ACCESS,
		OSServiceId_StartScheduleTableSynchron);
	REFUSED(SyncScheduleTable(CLOSED_T, 0), E_OS_ACCESS, OSServiceId_SyncScheduleTable);
	REFUSED(SetScheduletableAsync(CLOSED_T), E_OS_ACCESS, OSServiceId_SetScheduletableAsync);
	REFUSED(GetScheduleTableStatus(CLOSED_T, &status), E_OS_ACCESS,
		OSServiceId_GetScheduleTableStatus);
	ALLOWED(StartScheduleTableRel(OPEN_T, 1));
	ALLOWED(GetScheduleTableStatus(OPEN_T, &status));
	EXPECT(status, SCHEDULETABLE_RUNNING);
	REFUSED(NextScheduleTable(OPEN_T, CLOSED_T), E_OS_ACCESS, OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(CLOSED_T, OPEN_T), E_OS_ACCESS, OSServiceId_NextScheduleTable);
	ALLOWED(StopScheduleTable(OPEN_T));
}

/* E_OS_ID precedes E_OS_ACCESS, which precedes the checks of the service itself. */
static void refuses_in_order(void)
{
	REFUSED(SetRelAlarm(CLOSED_A, 0, 0), E_OS_ACCESS, OSServiceId_SetRelAlarm);
	REFUSED(SetRelAlarm(INVALID_ALARM, 0, 0), E_OS_ID, OSServiceId_SetRelAlarm);
	REFUSED(IncrementCounter(INVALID_COUNTER), E_OS_ID, OSServiceId_IncrementCounter);
	REFUSED(StopScheduleTable(INVALID_SCHEDULETABLE), E_OS_ID, OSServiceId_StopScheduleTable);
	REFUSED(NextScheduleTable(CLOSED_T, INVALID_SCHEDULETABLE), E_OS_ID,
		OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(INVALID_SCHEDULETABLE, CLOSED_T), E_OS_ID,
		OSServiceId_NextScheduleTable);
	ALLOWED(GetResource(OPEN_R));
	REFUSED(ChainTask(CLOSED), E_OS_ACCESS, OSServiceId_ChainTask);
	ALLOWED(ReleaseResource(OPEN_R));
	if (!PLF_EXTENDED_STATUS)
		return;
	REFUSED(GetTaskState(CLOSED, NULL), E_OS_PARAM_POINTER, OSServiceId_GetTaskState);
	REFUSED(GetResource(CLOSED_R), E_OS_ACCESS, OSServiceId_GetResource);
	SuspendOSInterrupts();
	REFUSED(ActivateTask(CLOSED), E_OS_DISABLEDINT, OSServiceId_ActivateTask);
	EXPECT(GetApplicationID(), INVALID_OSAPPLICATION);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_TASK, MAIN), NO_ACCESS);
	EXPECT(test.errors, 2);
	EXPECT(test.error, E_OS_DISABLEDINT);
	test.errors = 0;
	ResumeOSInterrupts();
}

static void says_whose_an_object_is(void)
{
	EXPECT(CheckObjectOwnership(OBJECT_TASK, MAIN), CONTROL);
	EXPECT(CheckObjectOwnership(OBJECT_TASK, CLOSED), COMFORT);
	EXPECT(CheckObjectOwnership(OBJECT_ISR, COMES), DRIVER);
	EXPECT(CheckObjectOwnership(OBJECT_ALARM, MINE_A), CONTROL);
	EXPECT(CheckObjectOwnership(OBJECT_RESOURCE, CLOSED_R), COMFORT);
	EXPECT(CheckObjectOwnership(OBJECT_RESOURCE, ANY_R), INVALID_OSAPPLICATION);
	EXPECT(CheckObjectOwnership(OBJECT_COUNTER, MINE_C), CONTROL);
	EXPECT(CheckObjectOwnership(OBJECT_SCHEDULETABLE, OPEN_T), COMFORT);
	EXPECT(CheckObjectOwnership(OBJECT_TASK, PLF_TASKS), INVALID_OSAPPLICATION);
	EXPECT(CheckObjectOwnership(OBJECT_ISR, PLF_ISRS), INVALID_OSAPPLICATION);
	EXPECT(CheckObjectOwnership(PLF_OBJECT_KINDS, 0), INVALID_OSAPPLICATION);
	EXPECT(CheckObjectOwnership(OBJECT_TASK, UINTPTR_MAX), INVALID_OSAPPLICATION);
	EXPECT(test.errors, 0);
}

static void says_which_may_use_it(void)
{
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_TASK, MAIN), ACCESS);
	EXPECT(CheckObjectAccess(COMFORT, OBJECT_TASK, MAIN), NO_ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_TASK, OPEN), ACCESS);
	EXPECT(CheckObjectAccess(DRIVER, OBJECT_TASK, OPEN), NO_ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_ISR, COMES), NO_ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_ALARM, OPEN_A), ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_ALARM, CLOSED_A), NO_ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_RESOURCE, OPEN_R), ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_RESOURCE, CLOSED_R), NO_ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_RESOURCE, ANY_R), ACCESS);
	EXPECT(CheckObjectAccess(COMFORT, OBJECT_RESOURCE, ANY_R), NO_ACCESS);
	EXPECT(CheckObjectAccess(COMFORT, OBJECT_COUNTER, CLOSED_C), ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_COUNTER, CLOSED_C), NO_ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_SCHEDULETABLE, OPEN_T), ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_SCHEDULETABLE, CLOSED_T), NO_ACCESS);
	EXPECT(CheckObjectAccess(PLF_APPLICATIONS, OBJECT_TASK, MAIN), NO_ACCESS);
	EXPECT(CheckObjectAccess(INVALID_OSAPPLICATION, OBJECT_TASK, MAIN), NO_ACCESS);
	EXPECT(CheckObjectAccess(64, OBJECT_TASK, MAIN), NO_ACCESS); /* too far for a shift */
	for (unsigned kind = PLF_OBJECT_KINDS; kind <= UINT8_MAX; kind++)
		EXPECT(CheckObjectAccess(CONTROL, (ObjectTypeType)kind, 0), NO_ACCESS);
	EXPECT(CheckObjectAccess(CONTROL, OBJECT_TASK, INVALID_TASK), NO_ACCESS);
	EXPECT(test.errors, 0);
}

/* A service that hooks may not call returns the answer for an object that does not exist. */
static void refuses_hooks(void)
{
	EXPECT(found.in_hook, NO_ACCESS);
	EXPECT(found.application, CONTROL);
	EXPECT(found.kind, OBJECT_TASK);
	EXPECT(found.object, MAIN);
}

static void gives_handlers_their_rights(void)
{
	raise_interrupts(1 << 5);
	EXPECT(found.handled, 1);
	EXPECT(found.of_handler, DRIVER);
	EXPECT(found.of_handler_error, DRIVER);
	EXPECT_TRAIL("s");
	EXPECT(GetApplicationID(), CONTROL);
}

TASK(MAIN)
{
	says_where_it_runs();
	refuses_hooks();
	refuses_tasks_of_others();
	refuses_alarms_of_others();
	refuses_counters_of_others();
	refuses_tables_of_others();
	refuses_in_order();
	says_whose_an_object_is();
	says_which_may_use_it();
	gives_handlers_their_rights();
	ALLOWED(ActivateTask(OPEN));
	EXPECT_TRAIL("o");
	ShutdownOS(E_OK);
}
