/* SPDX-License-Identifier: MIT */
/* Without a main() the system starts in the first mode. */
#include "check.h"

TASK(REPAIRS)
{
	mark('r');
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT(GetActiveApplicationMode(), OSDEFAULTAPPMODE);
	EXPECT(REPAIR, 1);
	EXPECT_TRAIL("S");
	ShutdownOS(E_OK);
}
