/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "applications.h"
#include "errors.h"

void StartupHook(void)
{
	found.startup = GetApplicationID();
}

/* The hook may not call CheckObjectAccess(), so ErrorHook is called. */
void PreTaskHook(void)
{
	found.pre_task = GetApplicationID();
	found.in_hook = CheckObjectAccess(CONTROL, OBJECT_TASK, MAIN);
}

/* Hooks belong to no application, so they have access to all objects. */
static void ask_as_hook(void)
{
	TaskStateType state;

	found.of_error = GetApplicationID();
	found.of_closed = GetTaskState(CLOSED, &state);
	found.in_error = CheckObjectAccess(CONTROL, OBJECT_TASK, MAIN);
}

void ErrorHook(StatusType status)
{
	if (OSErrorGetServiceId() == OSServiceId_CheckObjectAccess) {
		found.application = OSError_CheckObjectAccess_ApplID();
		found.kind = OSError_CheckObjectAccess_ObjectType();
		found.object = OSError_CheckObjectAccess_Object();
		if (status == E_OS_CALLEVEL)
			return;
	}
	if (GetISRID() == COMES)
		found.of_handler_error = GetApplicationID();
	else if (!test.raise)
		ask_as_hook();
	note_error(status);
}

static void refused(StatusType status, OSServiceIdType service)
{
	EXPECT(status, E_OS_ACCESS);
	EXPECT(test.errors, 1);
	EXPECT(test.service, service);
	test.errors = 0;
}

ISR(COMES)
{
	TaskStateType state;

	found.of_handler = GetApplicationID();
	found.handled++;
	EXPECT(GetCurrentApplicationID(), DRIVER);
	EXPECT(CheckObjectOwnership(OBJECT_ISR, COMES), DRIVER);
	EXPECT(CheckObjectAccess(DRIVER, OBJECT_TASK, SERVED), ACCESS);
	EXPECT(CheckObjectAccess(DRIVER, OBJECT_TASK, OPEN), NO_ACCESS);
	refused(ActivateTask(OPEN), OSServiceId_ActivateTask);
	refused(SetEvent(CLOSED, EV), OSServiceId_SetEvent);
	refused(GetTaskState(MAIN, &state), OSServiceId_GetTaskState);
	refused(CancelAlarm(OPEN_A), OSServiceId_CancelAlarm);
	refused(IncrementCounter(OPEN_C), OSServiceId_IncrementCounter);
	refused(StopScheduleTable(OPEN_T), OSServiceId_StopScheduleTable);
	EXPECT(ActivateTask(SERVED), E_OK);
	EXPECT(test.errors, 0);
}
