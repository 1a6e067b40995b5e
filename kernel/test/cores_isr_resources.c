/* SPDX-License-Identifier: MIT */
/* Routines of two cores wait at the same time, each for a section of a task of its core. */
#include "cores_isr_resources.h"
#include "several_cores.h"

enum { ROUNDS = 20 };

uint32_t ran[CORES];
static uint32_t has_raised[CORES], has_left[CORES], has_ended[CORES], top_ran[CORES];

static const ResourceType resources[CORES] = { R0, R1 };
static const TaskType tops[CORES] = { TOP0, TOP1 };

/* Call a service that is refused: ErrorHook raises the interrupt of the core that calls it. */
static void raise_own(void)
{
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
}

static void section(uint32_t core)
{
	uint32_t before = ran[core], tops_before = top_ran[core];

	EXPECT(GetResource(resources[core]), E_OK);
	raise_own();
	EXPECT(ActivateTask(tops[core]), E_OK);
	count(&has_raised[core]);
	AWAIT(look(&has_raised[1 - core]) >= has_raised[core]);
	EXPECT(ran[core], before);
	EXPECT(top_ran[core], tops_before);
	EXPECT(ReleaseResource(resources[core]), E_OK);
	EXPECT(ran[core], before + 1);
	EXPECT(top_ran[core], tops_before + 1);
	count(&has_left[core]);
	AWAIT(look(&has_left[1 - core]) >= has_left[core]);
}

static void run(uint32_t core)
{
	for (uint32_t round = 0; round < ROUNDS; round++)
		section(core);
	show(&has_ended[core], 1);
}

TASK(TOP0)
{
	count(&top_ran[0]);
	TerminateTask();
}

TASK(TOP1)
{
	count(&top_ran[1]);
	TerminateTask();
}

TASK(MAIN0)
{
	run(0);
	AWAIT(look(&has_ended[1]));
	ShutdownAllCores(E_OK);
}

TASK(MAIN1)
{
	run(1);
	TerminateTask();
}
