/* SPDX-License-Identifier: MIT */
#include "check.h"

/* An interrupt is its core's, whichever core raised it. It may activate tasks of all. */
ISR(KNOCK)
{
	EXPECT(GetCoreID(), 1);
	EXPECT(ActivateTask(KNOCKED), E_OK);
	EXPECT(ActivateTask(HERE), E_OK);
}
