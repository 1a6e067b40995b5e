/* SPDX-License-Identifier: MIT */
#include "check.h"

static void expect_interrupted(char expected)
{
	TaskType task = INVALID_TASK;

	ALLOWED(GetTaskID(&task));
	EXPECT(task == MAIN ? 'm' : task == NON ? 'n' : task == INVALID_TASK ? '-' : '?', expected);
}

/* No task runs before the handler ends. */
ISR(ACTIVATOR)
{
	extern char interrupted;

	mark('i');
	expect_interrupted(interrupted);
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(ActivateTask(HIGH));
	REFUSED(ActivateTask(HIGH), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	mark('I');
}

ISR(SETTER)
{
	mark('s');
	ALLOWED(SetEvent(URGENT, EV));
	mark('S');
}

ISR(ENDER)
{
	mark('x');
	ShutdownOS(17);
}
