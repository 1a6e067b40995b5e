/* SPDX-License-Identifier: MIT */
/*
 * Resources belong to a core, and RES_SCHEDULER exists on each core. Three cores do the same at
 * once, each with separate words. Other cores activate tasks that may preempt.
 */
#include "several_cores.h"

enum { CORES = 3, ROUNDS = 60 };

static const TaskType mids[CORES] = { MID0, MID1, MID2 };
static const TaskType tops[CORES] = { TOP0, TOP1, TOP2 };
static const TaskType guests[CORES] = { GUEST0, GUEST1, GUEST2 };
static const ResourceType resources[CORES] = { R0, R1, R2 };

static uint32_t is_inside[CORES], mid_ran[CORES], top_ran[CORES], has_ended[CORES];

static void mid(uint32_t core)
{
	GetResource(resources[core]);
	EXPECT(is_inside[core], 0);
	ReleaseResource(resources[core]);
	count(&mid_ran[core]);
	TerminateTask();
}

static void top(uint32_t core)
{
	count(&top_ran[core]);
	TerminateTask();
}

/* A task that the section keeps out runs when the section ends. Any other task runs at once. */
static void section(uint32_t core, ResourceType resource, bool keeps_top)
{
	uint32_t mids_before = mid_ran[core], tops_before = top_ran[core];

	GetResource(resource);
	is_inside[core] = 1;
	EXPECT(ActivateTask(mids[core]), E_OK);
	EXPECT(ActivateTask(tops[core]), E_OK);
	EXPECT(mid_ran[core], mids_before);
	EXPECT(top_ran[core], tops_before + (keeps_top ? 0 : 1));
	plf_spend(100);
	is_inside[core] = 0;
	ReleaseResource(resource);
	EXPECT(mid_ran[core], mids_before + 1);
	EXPECT(top_ran[core], tops_before + 1);
}

/*
 * Activate a task of the next core, which may be inside a section, or about to enter or leave it.
 */
static void disturb(uint32_t core)
{
	StatusType status = ActivateTask(guests[(core + 1) % CORES]);

	CHECK(status == E_OK || status == E_OS_LIMIT);
}

static void guest(uint32_t core)
{
	GetResource(RES_SCHEDULER);
	EXPECT(GetCoreID(), core);
	ReleaseResource(RES_SCHEDULER);
	TerminateTask();
}

static void low(uint32_t core)
{
	EXPECT(GetCoreID(), core);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		disturb(core);
		section(core, resources[core], false);
		disturb(core);
		section(core, RES_SCHEDULER, true);
	}
	show(&has_ended[core], true);
	if (core > 0)
		TerminateTask();
	for (uint32_t other = 1; other < CORES; other++)
		AWAIT(look(&has_ended[other]));
	ShutdownAllCores(E_OK);
}

#define CORE(n)                                                                                    \
	TASK(LOW##n)                                                                               \
	{                                                                                          \
		low(n);                                                                            \
	}                                                                                          \
	TASK(MID##n)                                                                               \
	{                                                                                          \
		mid(n);                                                                            \
	}                                                                                          \
	TASK(GUEST##n)                                                                             \
	{                                                                                          \
		guest(n);                                                                          \
	}                                                                                          \
	TASK(TOP##n)                                                                               \
	{                                                                                          \
		top(n);                                                                            \
	}
CORE(0)
CORE(1)
CORE(2)
