/* SPDX-License-Identifier: MIT */
/*
 * A task writes any values into the word of a spinlock that it may use. That harms only the users
 * of that lock, and their cores. It cannot reach the word of another lock. A task that is killed
 * inside leaves the section.
 */
#include "foul.h"
#include "several_cores.h"

enum { CALLS = 1000 };

volatile uint32_t faults;
volatile StatusType fault;

static uint32_t is_inside, sections, has_ended, killed_is_inside, killed_began;

static void section(void)
{
	EXPECT(GetSpinlock(H), E_OK);
	EXPECT(is_inside, 0);
	is_inside = 1;
	plf_relax();
	is_inside = 0;
	sections++;
	EXPECT(ReleaseSpinlock(H), E_OK);
}

static uint32_t random(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

static volatile uint64_t *word_of(SpinlockIdType lock)
{
	return (uint64_t *)(uintptr_t)wild(plf_globals[lock - PLF_RESOURCES].words);
}

/* FOUL never spins, because the values that it writes would keep it and RIGHT out for ever. */
TASK(FOUL)
{
	TryToGetSpinlockType success;

	for (uint32_t i = 0; i < CALLS; i++) {
		*word_of(G) = random() & 1 ? 0 : (uint64_t)random() << 40 ^ random();
		(void)TryToGetSpinlock(G, &success);
		if (success == TRYTOGETSPINLOCK_SUCCESS)
			(void)ReleaseSpinlock(G);
		plf_relax();
	}
	*word_of(G) = UINT64_MAX;
	show(&has_ended, true);
	*word_of(H) = 0;
	EXPECT(false, true);
}

/* PARTNER may be let in at any time, or be kept out for ever. Its core then does nothing else. */
TASK(PARTNER)
{
	for (;;) {
		(void)GetSpinlock(G);
		plf_relax();
		(void)ReleaseSpinlock(G);
	}
}

TASK(KILLED)
{
	EXPECT(GetSpinlock(H), E_OK);
	show(&killed_is_inside, true);
	count(&killed_began);
	plf_spend(3000);
	show(&killed_is_inside, false);
	*word_of(G) = 0;
	EXPECT(false, true);
}

static void kill_the_holder(void)
{
	uint32_t before = faults, begun = look(&killed_began);

	EXPECT(ActivateTask(KILLED), E_OK);
	AWAIT(look(&killed_began) > begun);
	section();
	EXPECT(look(&killed_is_inside), false);
	AWAIT(state_of(KILLED) == SUSPENDED);
	EXPECT(faults, before + 1);
	EXPECT(fault, E_OS_PROTECTION_MEMORY);
}

TASK(LEFT)
{
	for (unsigned round = 0; round < 3; round++)
		kill_the_holder();
	EXPECT(ActivateTask(FOUL), E_OK);
	while (!look(&has_ended)) {
		section();
		plf_relax(); /* else the other core may never be let in: unordered */
	}
	AWAIT(state_of(FOUL) == SUSPENDED);
	EXPECT(faults, 4);
	CHECK(sections > 3);
	ShutdownAllCores(E_OK);
}

TASK(RIGHT)
{
	while (!look(&has_ended)) {
		section();
		plf_relax();
	}
}
