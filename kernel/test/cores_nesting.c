/* SPDX-License-Identifier: MIT */
/*
 * Interrupts nest on each core separately, and interrupts of another core never come here. No hook
 * gets the errors of resources that a routine still holds.
 */
#include "cores_nesting.h"
#include "several_cores.h"

uint32_t weak0, strong0, lone1, weak1, strong1, of_1;

TASK(OF_1)
{
	EXPECT(GetCoreID(), 1);
	count(&of_1);
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT(SetRelAlarm(BEGINS, 1, 0), E_OK);
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT(look(&weak0), 1);
	AWAIT(look(&of_1) == 1);
	AWAIT(look(&weak1) == 1);
	EXPECT(look(&strong0) > STORM, true);
	EXPECT(look(&strong1), 2);
	ShutdownAllCores(E_OK);
}
