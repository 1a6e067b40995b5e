/* SPDX-License-Identifier: MIT */
#include "check.h"

/* An interrupt comes to its core, whichever core raised it. It may activate tasks of all cores. */
ISR(KNOCK)
{
	EXPECT(GetCoreID(), 1);
	EXPECT(ActivateTask(KNOCKED), E_OK);
	EXPECT(ActivateTask(HERE), E_OK);
}
