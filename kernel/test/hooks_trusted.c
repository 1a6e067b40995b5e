/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "check.h"

/* In both hooks the task that they are called for is running (OSEK 2.2.3, 11.1). */
static void mark_running(char before)
{
	static const char letters[] = { [HIGH] = 'h', [MID] = 'm', [MAIN] = 'n' };
	TaskType task = INVALID_TASK;
	TaskStateType state = 0xff;

	CHECK(GetTaskID(&task) == E_OK && task < PLF_TASKS);
	CHECK(GetTaskState(task, &state) == E_OK && state == RUNNING);
	mark(before);
	mark(letters[task]);
}

void StartupHook(void)
{
	char text;

	mark('S');
	CHECK(plf_port_read(&text, 1) == 0); /* without a console */
	CHECK(GetActiveApplicationMode() == OSDEFAULTAPPMODE);
}

void PreTaskHook(void)
{
	mark_running('<');
}

void PostTaskHook(void)
{
	mark_running('>');
}

/* An error in a service that ErrorHook calls does not call it again. */
void ErrorHook(StatusType status)
{
	TaskType task = INVALID_TASK;

	if (test.raise) {
		test.raise = 0;
		plf_port_raise(5);
		return;
	}
	mark('e');
	test.error = status;
	test.service = OSErrorGetServiceId();
	EXPECT(ActivateTask(MID), E_OS_CALLEVEL);
	EXPECT(GetTaskID(&task), E_OK);
}

ISR(COMES)
{
	mark('i');
	EXPECT(ActivateTask(PLF_TASKS), E_OS_ID);
	EXPECT(ActivateTask(MID), E_OK);
}
