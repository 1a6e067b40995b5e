/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "kernel/port.h"
#include "timing.h"
#include "timing_answers.h"

/* What ends a task is not to be ignored, and what ends none is not to end one. */
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
