/* SPDX-License-Identifier: MIT */
/* All cores start in the mode that any of them passes to StartOS(). */
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
	EXPECT(GetActiveApplicationMode(), NORMAL); /* it must not start in this mode */
}

TASK(SECOND)
{
	EXPECT(GetActiveApplicationMode(), REPAIR);
	show(&second_has_begun, true);
	TerminateTask();
}
