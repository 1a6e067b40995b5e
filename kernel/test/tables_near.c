/* SPDX-License-Identifier: MIT */
/* Data of an application, in so many windows that their tables must be counted. */
#include "check.h"

enum { ROOM = 26 << 20 };

static volatile char room[ROOM];

TASK(OWNER)
{
	for (unsigned i = 0; i < ROOM; i += 4096)
		EXPECT(room[i]++, 0);
	TerminateTask();
}
