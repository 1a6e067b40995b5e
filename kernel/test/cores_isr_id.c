/* SPDX-License-Identifier: MIT */
/* Handlers that run on two cores at once: each gets its own number. */
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
