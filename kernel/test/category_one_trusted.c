/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "kernel/port.h"

/* Category 1 may call only the services of interrupts (OSEK 2.2.3, 12.3), which do nothing here. */
ISR(FIRST)
{
	TaskType task = INVALID_TASK;

	mark('f');
	REFUSED(ActivateTask(URGENT), E_OS_CALLEVEL, PLF_CALL_ACTIVATE_TASK);
	REFUSED(GetTaskID(&task), E_OS_CALLEVEL, PLF_CALL_GET_TASK_ID);
	REFUSED(GetResource(R), E_OS_CALLEVEL, PLF_CALL_GET_RESOURCE);
	REFUSED(ReleaseResource(R), E_OS_CALLEVEL, PLF_CALL_RELEASE_RESOURCE);
	REFUSED(CancelAlarm(RAISES), E_OS_CALLEVEL, PLF_CALL_CANCEL_ALARM);
	EXPECT(GetISRID(), INVALID_ISR);
	SuspendAllInterrupts();
	ResumeOSInterrupts();
	EnableAllInterrupts();
	DisableAllInterrupts();
}

/* An interrupt of category 2 that comes meanwhile waits for the end. */
ISR(SECOND)
{
	mark('s');
	EXPECT(GetISRID(), SECOND);
	ALLOWED(GetResource(R));
	ALLOWED(ActivateTask(URGENT));
	ALLOWED(ReleaseResource(R));
}

ALARMCALLBACK(RAISE)
{
	mark('r');
	plf_port_raise(5);
}
