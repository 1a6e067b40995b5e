/* SPDX-License-Identifier: MIT */
/* Of handlers that run at once on two cores each learns its own number. */
#include "several_cores.h"

TASK(MAIN)
{
	EXPECT_TRAIL("21");
	ShutdownAllCores(E_OK);
}

TASK(SECONDS)
{
	TerminateTask();
}
