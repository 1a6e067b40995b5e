/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "check.h"
#include "table_starts.h"

/* Call the services in an order in which each allowed service returns E_OK. */
static void ask(enum table_place place)
{
	static ScheduleTableStatusType status;
	StatusType *answer = table_answers[place];

	answer[0] = StartScheduleTableRel(FREE, 5);
	answer[1] = NextScheduleTable(FREE, OF_FIX);
	answer[2] = GetScheduleTableStatus(FREE, &status);
	answer[3] = StopScheduleTable(FREE);
	answer[4] = StartScheduleTableAbs(FREE, 5);
	answer[5] = StartScheduleTableSynchron(FOLLOWS);
	answer[6] = SyncScheduleTable(FOLLOWS, 0);
	answer[7] = SetScheduletableAsync(FOLLOWS);
	if (answer[4] == E_OK) {
		EXPECT(StopScheduleTable(FREE), E_OK);
		EXPECT(StopScheduleTable(FOLLOWS), E_OK);
	}
	asked_in[place]++;
}

void StartupHook(void)
{
	ask(OF_STARTUP);
}

ALARMCALLBACK(call_all)
{
	ask(OF_CALLBACK);
}

ISR(COMES)
{
	ask(OF_HANDLER);
}

static void note(uint64_t first, uint64_t second)
{
	parameters_of_error[0] = first;
	parameters_of_error[1] = second;
}

static void note_parameters(OSServiceIdType service)
{
	switch (service) {
	case OSServiceId_StartScheduleTableRel:
		note(OSError_StartScheduleTableRel_ScheduleTableID(),
		     OSError_StartScheduleTableRel_Offset());
		break;
	case OSServiceId_StartScheduleTableAbs:
		note(OSError_StartScheduleTableAbs_ScheduleTableID(),
		     OSError_StartScheduleTableAbs_Start());
		break;
	case OSServiceId_StopScheduleTable:
		note(OSError_StopScheduleTable_ScheduleTableID(), 0);
		break;
	case OSServiceId_NextScheduleTable:
		note(OSError_NextScheduleTable_ScheduleTableID_From(),
		     OSError_NextScheduleTable_ScheduleTableID_To());
		break;
	case OSServiceId_StartScheduleTableSynchron:
		note(OSError_StartScheduleTableSynchron_ScheduleTableID(), 0);
		break;
	case OSServiceId_SyncScheduleTable:
		note(OSError_SyncScheduleTable_ScheduleTableID(),
		     OSError_SyncScheduleTable_Value());
		break;
	case OSServiceId_SetScheduletableAsync:
		note(OSError_SetScheduletableAsync_ScheduleTableID(), 0);
		break;
	case OSServiceId_GetScheduleTableStatus:
		note(OSError_GetScheduleTableStatus_ScheduleTableID(),
		     (uintptr_t)OSError_GetScheduleTableStatus_ScheduleStatus());
		break;
	}
}

void ErrorHook(StatusType status)
{
	status_of_error = status;
	note_parameters(OSErrorGetServiceId());
	if (error_shall_ask) {
		error_shall_ask = 0;
		ask(OF_ERROR);
	}
	if (error_shall_raise) {
		error_shall_raise = 0;
		plf_port_raise(5);
	}
}
