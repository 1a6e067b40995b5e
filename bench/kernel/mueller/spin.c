/* SPDX-License-Identifier: MIT */
/* The measured procedures of spinlocks, which no other core holds. */
#include "../measure.h"

TASK(THERE)
{
	TerminateTask();
}

static void get_and_release(void)
{
	GetSpinlock(LOCK);
	ReleaseSpinlock(LOCK);
}

const struct measured measured[] = {
	EMPTY_ROWS,
	{ .name = "spinlock", .run = get_and_release, .task = BENCH },
};
const unsigned measured_count = sizeof(measured) / sizeof(measured[0]);
