/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "check.h"
#include "kernel/port.h"

static const ProtectionReturnType answers[] = { PRO_TERMINATETASKISR,	   PRO_IGNORE,
						PRO_TERMINATEAPPL,	   PRO_SHUTDOWN,
						PRO_TERMINATEAPPL_RESTART, 99 };

/* In the hook FOUL is still the running task. */
ProtectionReturnType ProtectionHook(StatusType status)
{
	TaskType task = INVALID_TASK;

	mark('p');
	EXPECT(status, E_OS_PROTECTION_MEMORY);
	EXPECT(GetTaskID(&task), E_OK);
	EXPECT(task, FOUL);
	EXPECT(ActivateTask(HIGH), E_OS_CALLEVEL);
	return answers[TEST_CASE];
}

void PostTaskHook(void)
{
	TaskType task = INVALID_TASK;

	(void)GetTaskID(&task);
	mark(task == FOUL ? '>' : '.');
}

void ErrorHook(StatusType status)
{
	if (status == E_OS_CALLEVEL)
		return;
	mark('r');
	plf_port_raise(5);
}

ISR(COMES)
{
	mark('i');
}
