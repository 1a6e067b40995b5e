/* SPDX-License-Identifier: MIT */
#include "applications_end.h"

ISR(COMES)
{
	mark('i');
}

/* The application of a task that ends with it has not changed yet. */
void PostTaskHook(void)
{
	ApplicationStateType application = 99;
	TaskStateType waiting = 99;
	TaskType task = INVALID_TASK;

	CHECK(GetTaskID(&task) == E_OK);
	CHECK(GetTaskState(HIGH, &waiting) == E_OK);
	CHECK(GetApplicationState(WORK, &application) == E_OK);
	if (task == LOW && waiting == WAITING && application == APPLICATION_ACCESSIBLE)
		left_as_it_was++;
}
