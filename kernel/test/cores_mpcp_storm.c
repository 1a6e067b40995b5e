/* SPDX-License-Identifier: MIT */
/*
 * Sixteen tasks of four cores share two resources, as fast as they can. No two tasks are inside the
 * same section, and no task waits for ever. Nested sections of a core exclude each other.
 */
#include "several_cores.h"

enum { CORES = 4, ROUNDS = 60 };

static const ResourceType locals[CORES] = { R0, R1, R2, R3 };
static const TaskType as[CORES] = { A0, A1, A2, A3 };
static const TaskType bs[CORES] = { B0, B1, B2, B3 };
static const TaskType tops[CORES] = { TOP0, TOP1, TOP2, TOP3 };

/* Plain data, which only exclusion keeps consistent. */
static struct shared {
	uint32_t is_inside, sections;
} of_g, of_h, of_r[CORES];
static uint32_t activations[CORES][3], ran[CORES][3], is_held, has_ended[CORES];

static void use(struct shared *shared, unsigned turns)
{
	uint32_t before = shared->sections;

	EXPECT(shared->is_inside, 0);
	shared->is_inside = 1;
	for (unsigned i = 0; i < turns; i++)
		plf_relax();
	EXPECT(shared->is_inside, 1);
	EXPECT(shared->sections, before);
	shared->is_inside = 0;
	shared->sections = before + 1;
}

static void global(ResourceType resource, struct shared *shared, unsigned turns)
{
	EXPECT(GetMPCPResource(resource), E_OK);
	use(shared, turns);
	EXPECT(ReleaseMPCPResource(resource), E_OK);
}

/* A section with a nested section of the core's own resource. */
static void nested(uint32_t core, ResourceType resource, struct shared *shared)
{
	EXPECT(GetMPCPResource(resource), E_OK);
	EXPECT(GetResource(locals[core]), E_OK);
	use(&of_r[core], 1);
	EXPECT(ReleaseResource(locals[core]), E_OK);
	use(shared, 1);
	EXPECT(ReleaseMPCPResource(resource), E_OK);
}

static void middle(uint32_t core, unsigned which)
{
	global(G, &of_g, core);
	nested(core, H, &of_h);
	count(&ran[core][which]);
	TerminateTask();
}

static void top(uint32_t core)
{
	global(H, &of_h, 1);
	count(&ran[core][2]);
	TerminateTask();
}

static void activate(uint32_t core, TaskType task, unsigned which)
{
	StatusType status = ActivateTask(task);

	CHECK(status == E_OK || status == E_OS_LIMIT);
	activations[core][which] += status == E_OK;
}

static void low(uint32_t core)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		EXPECT(GetMPCPResource(G), E_OK);
		activate(core, as[core], 0);
		activate(core, bs[core], 1);
		if (round % 3 == 0)
			activate(core, tops[core], 2);
		use(&of_g, core + round % 2);
		EXPECT(ReleaseMPCPResource(G), E_OK);
		if (round % 5 == core)
			plf_relax();
	}
	show(&has_ended[core], true);
	if (core > 0)
		TerminateTask();
}

static bool all_ended(void)
{
	bool all = true;

	for (uint32_t core = 0; core < CORES; core++) {
		all &= look(&has_ended[core]);
		all &= state_of(as[core]) == SUSPENDED && state_of(bs[core]) == SUSPENDED;
		all &= state_of(tops[core]) == SUSPENDED;
	}
	return all;
}

static void judge(void)
{
	uint32_t of_middle = 0, of_top = 0;

	for (uint32_t core = 0; core < CORES; core++) {
		for (unsigned which = 0; which < 3; which++)
			EXPECT(ran[core][which], activations[core][which]);
		of_middle += ran[core][0] + ran[core][1];
		of_top += ran[core][2];
		EXPECT(of_r[core].sections, ran[core][0] + ran[core][1]);
	}
	EXPECT(of_g.sections, CORES * ROUNDS + of_middle);
	EXPECT(of_h.sections, of_middle + of_top);
}

#define CORE(n)                                                                                    \
	TASK(A##n)                                                                                 \
	{                                                                                          \
		middle(n, 0);                                                                      \
	}                                                                                          \
	TASK(B##n)                                                                                 \
	{                                                                                          \
		middle(n, 1);                                                                      \
	}                                                                                          \
	TASK(TOP##n)                                                                               \
	{                                                                                          \
		top(n);                                                                            \
	}
CORE(0)
CORE(1)
CORE(2)
CORE(3)

/* Ensures that some tasks wait, however the cores take turns. */
static void keep_all_waiting(void)
{
	static const TaskType lows[CORES] = { LOW0, LOW1, LOW2, LOW3 };

	EXPECT(GetMPCPResource(G), E_OK);
	show(&is_held, true);
	for (uint32_t core = 1; core < CORES; core++)
		AWAIT(state_of(lows[core]) == WAITING);
	EXPECT(ReleaseMPCPResource(G), E_OK);
}

static void other(uint32_t core)
{
	AWAIT(look(&is_held));
	low(core);
}

TASK(LOW0)
{
	keep_all_waiting();
	low(0);
	AWAIT(all_ended());
	judge();
	ShutdownAllCores(E_OK);
}

TASK(LOW1)
{
	other(1);
}

TASK(LOW2)
{
	other(2);
}

TASK(LOW3)
{
	other(3);
}
