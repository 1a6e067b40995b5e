/* SPDX-License-Identifier: MIT */
#include "applications_end.h"

ISR(COMES)
{
	mark('i');
}

/*
 * PostTaskHook of a task that ends with its application: the state of the application is unchanged
 * yet.
 */
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
