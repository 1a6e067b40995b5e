/* SPDX-License-Identifier: MIT */
/*
 * Twelve tasks of four cores share two nested spinlocks, as fast as they can. No two tasks are
 * inside the same section, and no task spins for ever. No task preempts a task of its core that is
 * inside.
 */
#include "several_cores.h"

enum { CORES = 4, ROUNDS = 60 };

static const ResourceType locals[CORES] = { R0, R1, R2, R3 };
static const TaskType mids[CORES] = { MID0, MID1, MID2, MID3 };
static const TaskType tops[CORES] = { TOP0, TOP1, TOP2, TOP3 };

/* Plain data, which only exclusion keeps consistent. */
static struct shared {
	uint32_t is_inside, sections;
} of_g, of_h, of_r[CORES];
static uint32_t is_on[CORES]; /* a task of the core is in a spinlock */
static uint32_t activations[CORES][2], ran[CORES][2], has_ended[CORES];

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

static void local(uint32_t core)
{
	EXPECT(GetResource(locals[core]), E_OK);
	use(&of_r[core], 1);
	EXPECT(ReleaseResource(locals[core]), E_OK);
}

static void enter(uint32_t core, SpinlockIdType lock)
{
	EXPECT(GetSpinlock(lock), E_OK);
	is_on[core]++;
}

static void leave(uint32_t core, SpinlockIdType lock)
{
	is_on[core]--;
	EXPECT(ReleaseSpinlock(lock), E_OK);
}

static void mid(uint32_t core)
{
	EXPECT(is_on[core], 0);
	enter(core, G);
	use(&of_g, core);
	enter(core, H);
	local(core);
	use(&of_h, 1);
	leave(core, H);
	use(&of_g, 0);
	leave(core, G);
	count(&ran[core][0]);
	TerminateTask();
}

static void top(uint32_t core)
{
	EXPECT(is_on[core], 0);
	enter(core, H);
	local(core);
	use(&of_h, 1);
	leave(core, H);
	count(&ran[core][1]);
	TerminateTask();
}

static void activate(uint32_t core, TaskType task, unsigned which)
{
	StatusType status = ActivateTask(task);

	CHECK(status == E_OK || status == E_OS_LIMIT);
	activations[core][which] += status == E_OK;
}

/* Every second time without spinning. */
static void get(uint32_t round)
{
	TryToGetSpinlockType success = TRYTOGETSPINLOCK_NOSUCCESS;

	if (round % 2 == 0) {
		EXPECT(GetSpinlock(G), E_OK);
		return;
	}
	while (success != TRYTOGETSPINLOCK_SUCCESS) {
		plf_relax();
		EXPECT(TryToGetSpinlock(G, &success), E_OK);
	}
}

static void low(uint32_t core)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		get(round);
		is_on[core]++;
		activate(core, mids[core], 0);
		if (round % 3 == 0)
			activate(core, tops[core], 1);
		use(&of_g, core + round % 2);
		leave(core, G);
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
		all &= state_of(mids[core]) == SUSPENDED && state_of(tops[core]) == SUSPENDED;
	}
	return all;
}

static void judge(void)
{
	uint32_t of_mids = 0, of_tops = 0;

	for (uint32_t core = 0; core < CORES; core++) {
		for (unsigned which = 0; which < 2; which++)
			EXPECT(ran[core][which], activations[core][which]);
		EXPECT(of_r[core].sections, ran[core][0] + ran[core][1]);
		of_mids += ran[core][0];
		of_tops += ran[core][1];
	}
	EXPECT(of_g.sections, CORES * ROUNDS + 2 * of_mids);
	EXPECT(of_h.sections, of_mids + of_tops);
}

#define CORE(n)                                                                                    \
	TASK(MID##n)                                                                               \
	{                                                                                          \
		mid(n);                                                                            \
	}                                                                                          \
	TASK(TOP##n)                                                                               \
	{                                                                                          \
		top(n);                                                                            \
	}
CORE(0)
CORE(1)
CORE(2)
CORE(3)

TASK(LOW0)
{
	low(0);
	AWAIT(all_ended());
	judge();
	ShutdownAllCores(E_OK);
}

TASK(LOW1)
{
	low(1);
}

TASK(LOW2)
{
	low(2);
}

TASK(LOW3)
{
	low(3);
}
