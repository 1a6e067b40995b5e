/* SPDX-License-Identifier: MIT */
#include "check.h"

/* No task runs: the one that was preempted goes on when nothing is between it and the one before.
 */
ISR(WEAK)
{
	TaskType task = MAIN;

	mark('w');
	ALLOWED(GetTaskID(&task));
	EXPECT(task, INVALID_TASK);
}

/* What it activates has its own level. */
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
