/* SPDX-License-Identifier: MIT */
/* The tasks and alarms that start in a mode, and the answers of GetActiveApplicationMode. */
#include "modes.h"
#include "case.h"
#include "check.h"

AppModeType mode_of_hook = INVALID, mode_of_main = INVALID;

TASK(ALWAYS)
{
	EXPECT(GetActiveApplicationMode(), mode_of_hook);
	mark('a');
	TerminateTask();
}

TASK(REPAIRS)
{
	EXPECT(GetActiveApplicationMode(), mode_of_hook);
	mark('r');
	TerminateTask();
}

TASK(NORMALLY)
{
	mark('n');
	TerminateTask();
}

TASK(END)
{
	EXPECT(mode_of_main, OSDEFAULTAPPMODE); /* not started yet */
	EXPECT(test.errors, 0);
	if (TEST_CASE == 0) {
		EXPECT(mode_of_hook, NORMAL);
		EXPECT(NORMAL, OSDEFAULTAPPMODE);
		EXPECT_TRAIL("anAN");
	} else {
		EXPECT(mode_of_hook, REPAIR);
		EXPECT_TRAIL("arAR");
	}
	ShutdownOS(E_OK);
}

TASK(ALARMED)
{
	mark('A');
	TerminateTask();
}

TASK(ALARMED_NORMALLY)
{
	mark('N');
	TerminateTask();
}

TASK(ALARMED_IN_REPAIR)
{
	mark('R');
	TerminateTask();
}
