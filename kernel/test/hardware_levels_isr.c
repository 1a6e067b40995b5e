/* SPDX-License-Identifier: MIT */
#include "check.h"

/* No task runs in the handler. The preempted task resumes when no level between is pending. */
ISR(WEAK)
{
	TaskType task = MAIN;

	mark('w');
	ALLOWED(GetTaskID(&task));
	EXPECT(task, INVALID_TASK);
}

/* A task that it activates runs at its own level. */
ISR(MIDDLE)
{
	mark('m');
	ALLOWED(ActivateTask(HIGH));
}

ISR(STRONG)
{
	mark('s');
}

ISR(TOP)
{
	mark('t');
}
