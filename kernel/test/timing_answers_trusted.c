/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "kernel/port.h"
#include "timing.h"
#include "timing_answers.h"

/* A fault that ends a task must not be ignored, and a fault that ends none must not end a task. */
ProtectionReturnType ProtectionHook(StatusType status)
{
	static bool is_second;
	TaskType task = INVALID_TASK;

	EXPECT(GetTaskID(&task), E_OK);
	faulted = task;
	fault = status;
	faults++;
	if (TEST_CASE == IGNORED)
		return PRO_IGNORE;
	if (status == E_OS_PROTECTION_ARRIVAL)
		return PRO_TERMINATETASKISR;
	if (is_second)
		return PRO_TERMINATEAPPL;
	is_second = true;
	return PRO_TERMINATEAPPL_RESTART;
}
