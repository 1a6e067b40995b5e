/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "kernel/port.h"

/* For messages_edf, which has no ErrorHook. */
void COMErrorHook(StatusType status)
{
	test.errors++;
	test.error = status;
	test.service = COMErrorGetServiceId();
}

ALARMCALLBACK(raise_it)
{
	plf_port_raise(6);
}

ISR(IDLE)
{
	TaskType task = 0;

	EXPECT(GetTaskID(&task), E_OK);
	EXPECT(task, INVALID_TASK);
	EXPECT(SendZeroMessage(TICK), E_OK);
	mark('i');
}
