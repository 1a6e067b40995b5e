/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "error_parameters.h"

static void note(uint64_t a, uint64_t b, uint64_t c)
{
	learned.parameters[0] = a;
	learned.parameters[1] = b;
	learned.parameters[2] = c;
}

static void note_of_task_or_event(OSServiceIdType service)
{
	switch (service) {
	case OSServiceId_ActivateTask:
		note(OSError_ActivateTask_TaskID(), NOTHING, NOTHING);
		break;
	case OSServiceId_ChainTask:
		note(OSError_ChainTask_TaskID(), NOTHING, NOTHING);
		break;
	case OSServiceId_GetTaskID:
		note((uintptr_t)OSError_GetTaskID_TaskID(), NOTHING, NOTHING);
		break;
	case OSServiceId_GetTaskState:
		note(OSError_GetTaskState_TaskID(), (uintptr_t)OSError_GetTaskState_State(),
		     NOTHING);
		break;
	case OSServiceId_SetEvent:
		note(OSError_SetEvent_TaskID(), OSError_SetEvent_Mask(), NOTHING);
		break;
	case OSServiceId_ClearEvent:
		note(OSError_ClearEvent_Mask(), NOTHING, NOTHING);
		break;
	case OSServiceId_GetEvent:
		note(OSError_GetEvent_TaskID(), (uintptr_t)OSError_GetEvent_Event(), NOTHING);
		break;
	case OSServiceId_WaitEvent:
		note(OSError_WaitEvent_Mask(), NOTHING, NOTHING);
		break;
	}
}

static void note_of_alarm_or_resource(OSServiceIdType service)
{
	switch (service) {
	case OSServiceId_GetResource:
		note(OSError_GetResource_ResID(), NOTHING, NOTHING);
		break;
	case OSServiceId_ReleaseResource:
		note(OSError_ReleaseResource_ResID(), NOTHING, NOTHING);
		break;
	case OSServiceId_GetAlarmBase:
		note(OSError_GetAlarmBase_AlarmID(), (uintptr_t)OSError_GetAlarmBase_Info(),
		     NOTHING);
		break;
	case OSServiceId_GetAlarm:
		note(OSError_GetAlarm_AlarmID(), (uintptr_t)OSError_GetAlarm_Tick(), NOTHING);
		break;
	case OSServiceId_SetRelAlarm:
		note(OSError_SetRelAlarm_AlarmID(), OSError_SetRelAlarm_increment(),
		     OSError_SetRelAlarm_cycle());
		break;
	case OSServiceId_SetAbsAlarm:
		note(OSError_SetAbsAlarm_AlarmID(), OSError_SetAbsAlarm_start(),
		     OSError_SetAbsAlarm_cycle());
		break;
	case OSServiceId_CancelAlarm:
		note(OSError_CancelAlarm_AlarmID(), NOTHING, NOTHING);
		break;
	case OSServiceId_IncrementCounter:
		note(OSError_IncrementCounter_CounterID(), NOTHING, NOTHING);
		break;
	case OSServiceId_GetCounterValue:
		note(OSError_GetCounterValue_CounterID(),
		     (uintptr_t)OSError_GetCounterValue_Value(), NOTHING);
		break;
	case OSServiceId_GetElapsedValue:
		note(OSError_GetElapsedValue_CounterID(),
		     (uintptr_t)OSError_GetElapsedValue_ElapsedValue(), NOTHING);
		break;
	}
}

/* Refused calls of ErrorHook itself do not change the service and parameters that it reads. */
void ErrorHook(StatusType status)
{
	TaskStateType state;

	EXPECT(GetTaskState(INVALID_TASK, &state), E_OS_ID);
	EXPECT(GetTaskState(MAIN, &state), E_OK);
	learned.errors++;
	learned.status = status;
	learned.service = OSErrorGetServiceId();
	note(NOTHING, NOTHING, NOTHING);
	note_of_task_or_event(learned.service);
	note_of_alarm_or_resource(learned.service);
}
