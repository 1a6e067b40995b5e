/* SPDX-License-Identifier: MIT */
/*
 * As much as there can be: 250 tasks on 63 levels, the ready queue full, each of 248 tasks
 * with 255 activations, in turns. They run level by level, and on each in the order of activations.
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

/* T000 to T247, in groups of four of one priority, from 62 down to 1. */
#define ONE(n)                                                                                     \
	TASK(T##n)                                                                                 \
	{                                                                                          \
		run(T##n);                                                                         \
	}
#define TEN(n)                                                                                     \
	ONE(n##0)                                                                                  \
	ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n)                                                                                 \
	TEN(n##0)                                                                                  \
	TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
HUNDRED(0)
HUNDRED(1)
TEN(20)
TEN(21)
TEN(22)
TEN(23)
ONE(240)
ONE(241)
ONE(242)
ONE(243)
ONE(244)
ONE(245)
ONE(246)
ONE(247)

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
