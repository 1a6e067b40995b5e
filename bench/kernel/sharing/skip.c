/* SPDX-License-Identifier: MIT */
#include "../measure.h"

TASK(OTHER)
{
	TerminateTask();
}

static void pair(void)
{
	GetResource(R);
	ReleaseResource(R);
}

const struct measured measured[] = {
	EMPTY_ROWS,
	{ .name = "shared-pair", .run = pair, .task = BENCH },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
