/* SPDX-License-Identifier: MIT */
/* Every task may take RES_SCHEDULER, even if it lists no resource: OSEK 2.2.3, 8.3. */
#include "check.h"

static volatile bool is_inside;

static void alone(TaskType other)
{
	EXPECT(GetResource(RES_SCHEDULER), E_OK);
	CHECK(!is_inside);
	is_inside = true;
	mark('(');
	if (other != INVALID_TASK)
		EXPECT(ActivateTask(other), E_OK);
	mark(')');
	is_inside = false;
	EXPECT(ReleaseResource(RES_SCHEDULER), E_OK);
}

TASK(HIGH)
{
	mark('h');
	alone(INVALID_TASK);
	TerminateTask();
}

TASK(MIDDLE)
{
	mark('m');
	EXPECT(GetResource(R), E_OK);
	alone(HIGH);
	mark('-');
	EXPECT(ReleaseResource(R), E_OK);
	TerminateTask();
}

TASK(LOW)
{
	alone(HIGH);
	EXPECT_TRAIL("()h()");
	alone(MIDDLE);
	EXPECT_TRAIL("()m()h()-");
	ShutdownOS(E_OK);
}
