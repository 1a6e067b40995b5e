/* SPDX-License-Identifier: MIT */
/*
 * Three cores begin to spin in sequence, while the first core is inside. ORDER is the order in
 * which they get the lock. While the task of a core spins or is inside, that core runs no other
 * task. Each program, for a protocol, includes this file.
 */
#include "several_cores.h"

enum { CORES = 4 };

static uint32_t urgent_runs[CORES], is_inside;

static uint64_t word(void)
{
	return __atomic_load_n(plf_globals[S - PLF_RESOURCES].words, __ATOMIC_ACQUIRE);
}

static void urgent(uint32_t core)
{
	EXPECT(look(&is_inside) & 1U << core, 0);
	count(&urgent_runs[core]);
	TerminateTask();
}

static void inside(uint32_t core, bool is_there)
{
	if (is_there)
		__atomic_fetch_or(&is_inside, 1U << core, __ATOMIC_ACQ_REL);
	else
		__atomic_fetch_and(&is_inside, ~(1U << core), __ATOMIC_ACQ_REL);
}

/* URGENT of the core was activated while the task was spinning. */
static void pass(uint32_t core, char letter)
{
	EXPECT(GetSpinlock(S), E_OK);
	EXPECT(look(&urgent_runs[core]), 0);
	inside(core, true);
	mark(letter);
	plf_spend(100);
	inside(core, false);
	EXPECT(ReleaseSpinlock(S), E_OK);
	EXPECT(look(&urgent_runs[core]), 1);
	TerminateTask();
}

static void start_and_see_spinning(TaskType task, TaskType above)
{
	uint64_t before = word();

	EXPECT(ActivateTask(task), E_OK);
	AWAIT(word() != before);
	EXPECT(ActivateTask(above), E_OK);
	plf_spend(1000);
}

/* MAIN releases the lock only after all others spin. */
static void order(void)
{
	EXPECT(GetSpinlock(S), E_OK);
	start_and_see_spinning(FIFTH, URGENT1);
	start_and_see_spinning(NINTH, URGENT2);
	start_and_see_spinning(SEVENTH, URGENT3);
	for (uint32_t core = 1; core < CORES; core++)
		EXPECT(look(&urgent_runs[core]), 0);
	mark('m');
	EXPECT(ReleaseSpinlock(S), E_OK);
	AWAIT(state_of(FIFTH) == SUSPENDED && state_of(NINTH) == SUSPENDED &&
	      state_of(SEVENTH) == SUSPENDED);
	EXPECT_TRAIL(ORDER);
	EXPECT(word(), 0);
}

TASK(FIFTH)
{
	pass(1, '5');
}

TASK(NINTH)
{
	pass(2, '9');
}

TASK(SEVENTH)
{
	pass(3, '7');
}

TASK(URGENT1)
{
	urgent(1);
}

TASK(URGENT2)
{
	urgent(2);
}

TASK(URGENT3)
{
	urgent(3);
}

TASK(MAIN)
{
	for (unsigned round = 0; round < 5; round++) {
		for (uint32_t core = 0; core < CORES; core++)
			show(&urgent_runs[core], 0);
		order();
	}
	ShutdownAllCores(E_OK);
}
