/* SPDX-License-Identifier: MIT */
/* The measured procedures of a system that grows. */
#include "cores.h"
#include "others.h"

NOTES_ITS_START(FIRST);
NOTES_ITS_START(LAST);
NOTES_ITS_START(THERE);

static void activate_last(void)
{
	ActivateTask(LAST);
}

static void activate_first(void)
{
	ActivateTask(FIRST);
}

static void terminate(void)
{
	TerminateTask();
}

/* The other core is idle. This core waits until THERE has noted its start. */
static void activate_there(void)
{
	ActivateTask(THERE);
	await_arrival();
}

const struct measured measured[] = {
	EMPTY_ROWS,
	{ .name = "activate", .run = activate_last, .task = BENCH },
	{ .name = "to-activated", .run = activate_first, .task = BENCH },
	{ .name = "to-next", .run = terminate, .task = BENCH, .before = activate_last },
	{ .name = "to-there", .run = activate_there, .task = BENCH },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
