/* SPDX-License-Identifier: MIT */
/*
 * The largest system: 250 tasks on 63 levels. The ready queue is full, with 255 activations in
 * turns of each of 248 tasks. They run level by level, and on each level in the order of
 * activations.
 */
#include "check.h"

enum { OF_A_LEVEL = 4, ACTIVATIONS = 255, QUEUED = 248 };

static uint32_t runs;

static void run(TaskType me)
{
	uint32_t level = runs / (OF_A_LEVEL * ACTIVATIONS);

	EXPECT(me, FIRST + 1 + level * OF_A_LEVEL + runs % OF_A_LEVEL);
	runs++;
	TerminateTask();
}

/* Groups of four tasks of equal priority, from 62 down to 1. */
#include "many_tasks.h"

TASK(FIRST)
{
	for (unsigned round = 0; round < ACTIVATIONS; round++)
		for (unsigned task = FIRST + 1; task <= FIRST + QUEUED; task++)
			ALLOWED(ActivateTask((TaskType)task));
	for (unsigned task = FIRST + 1; task <= FIRST + QUEUED; task++)
		REFUSED(ActivateTask((TaskType)task), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
	ALLOWED(ActivateTask(LAST));
	TerminateTask();
}

TASK(LAST)
{
	EXPECT(runs, QUEUED * ACTIVATIONS);
	ShutdownOS(E_OK);
}
