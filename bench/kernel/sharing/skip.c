/* SPDX-License-Identifier: MIT */
/* The measured procedures, under skipping. */
#include "../measure.h"

NOTES_ITS_START(FIRST);

static void pair(void)
{
	GetResource(R);
	ReleaseResource(R);
}

static void keeping_out(void)
{
	GetResource(R);
	ActivateTask(FIRST);
}

static void release(void)
{
	ReleaseResource(R);
}

const struct measured measured[] = {
	EMPTY_ROWS,
	{ .name = "shared-pair", .run = pair, .task = BENCH },
	{ .name = "to-kept-out", .run = release, .task = BENCH, .before = keeping_out },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
