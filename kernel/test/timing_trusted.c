/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"
#include "timing.h"

/* A task without budget ends, and an early arrival is ignored. */
ProtectionReturnType ProtectionHook(StatusType status)
{
	TaskType task = INVALID_TASK;

	fault_ns = plf_port_now_ns();
	EXPECT(GetTaskID(&task), E_OK);
	faulted = task;
	fault = status;
	faults++;
	return status == E_OS_PROTECTION_ARRIVAL ? PRO_IGNORE : PRO_TERMINATETASKISR;
}
