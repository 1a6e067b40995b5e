/* SPDX-License-Identifier: MIT */
#include "stack_fault.h"

ProtectionReturnType ProtectionHook(StatusType status)
{
	TaskType task = INVALID_TASK;

	EXPECT(GetTaskID(&task), E_OK);
	EXPECT(task, FOUL);
	EXPECT(fault, E_OK);
	fault = status;
	return PRO_TERMINATETASKISR;
}
