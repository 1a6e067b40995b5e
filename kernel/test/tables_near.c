/* SPDX-License-Identifier: MIT */
/* Of an application: so many windows that their tables have to be counted. */
#include "check.h"

enum { ROOM = 26 << 20 };

static volatile char room[ROOM];

TASK(OWNER)
{
	for (unsigned i = 0; i < ROOM; i += 4096)
		EXPECT(room[i]++, 0);
	TerminateTask();
}
