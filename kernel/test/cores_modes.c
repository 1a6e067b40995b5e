/* SPDX-License-Identifier: MIT */
/* All cores start in the mode that one of them names. */
#include "several_cores.h"

static uint32_t second_has_begun;

TASK(FIRST)
{
	EXPECT(GetActiveApplicationMode(), REPAIR);
	AWAIT(look(&second_has_begun));
	ShutdownAllCores(E_OK);
}

TASK(NORMALLY)
{
	EXPECT(GetActiveApplicationMode(), NORMAL); /* and in that it does not start */
}

TASK(SECOND)
{
	EXPECT(GetActiveApplicationMode(), REPAIR);
	show(&second_has_begun, true);
	TerminateTask();
}
