/* SPDX-License-Identifier: MIT */
#include "check.h"

void PostTaskHook(void)
{
	TaskType task = INVALID_TASK;

	(void)GetTaskID(&task);
	mark(task == LEAVER ? '>' : '.');
}

ISR(COMES)
{
	mark('i');
}
