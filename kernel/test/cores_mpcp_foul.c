/* SPDX-License-Identifier: MIT */
/*
 * A task writes any values into the queue of a resource that it may use, and makes any calls. That
 * harms only the users of that resource. It cannot reach the queue of another resource. A task that
 * is killed inside leaves the section.
 */
#include "foul.h"
#include "several_cores.h"

enum { CALLS = 1000 };

volatile uint32_t faults;
volatile StatusType fault;

static uint32_t is_inside, sections, has_ended, killed_is_inside;

static void section(void)
{
	EXPECT(GetMPCPResource(H), E_OK);
	EXPECT(is_inside, 0);
	is_inside = 1;
	plf_relax();
	is_inside = 0;
	sections++;
	EXPECT(ReleaseMPCPResource(H), E_OK);
}

static uint32_t random(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

static uint64_t *word_of(ResourceType resource)
{
	return (uint64_t *)(uintptr_t)wild(plf_globals[resource - PLF_RESOURCES].words);
}

/* Write to any word of the page: a queue by core uses several. */
static void spoil(ResourceType resource)
{
	volatile uint64_t *words = word_of(resource);

	words[random() % (1 + PLF_CPUS)] = (uint64_t)random() << 32 ^ random();
}

/*
 * The call may grant the resource to any user. Calls that block the caller for ever are left out.
 */
static void call(void)
{
	uintptr_t resource = random() & 1 ? G : random();

	if (resource != G)
		(void)plf_call1(PLF_CALL_GET_GLOBAL, resource);
	(void)plf_call2(PLF_CALL_RELEASE_GLOBAL, resource, random());
}

TASK(FOUL)
{
	for (uint32_t i = 0; i < CALLS; i++) {
		spoil(G);
		call();
		plf_relax();
	}
	show(&has_ended, true);
	*(volatile uint64_t *)word_of(H) = 0;
	EXPECT(false, true);
}

/* PARTNER may be let in at any time, or be kept out for ever. */
TASK(PARTNER)
{
	for (;;) {
		(void)GetMPCPResource(G);
		plf_relax();
		(void)ReleaseMPCPResource(G);
	}
}

TASK(KILLED)
{
	EXPECT(GetMPCPResource(H), E_OK);
	show(&killed_is_inside, true);
	AWAIT(state_of(WAITS) == WAITING);
	*(volatile uint64_t *)word_of(G) = 0;
	EXPECT(false, true);
}

TASK(WAITS)
{
	section();
	TerminateTask();
}

static void kill_the_holder(void)
{
	uint32_t before = faults;

	EXPECT(ActivateTask(KILLED), E_OK);
	AWAIT(look(&killed_is_inside));
	EXPECT(ActivateTask(WAITS), E_OK);
	AWAIT(state_of(WAITS) == SUSPENDED);
	EXPECT(faults, before + 1);
	EXPECT(fault, E_OS_PROTECTION_MEMORY);
	AWAIT(state_of(KILLED) == SUSPENDED);
}

TASK(LEFT)
{
	for (unsigned round = 0; round < 3; round++) {
		killed_is_inside = false;
		kill_the_holder();
	}
	EXPECT(ActivateTask(FOUL), E_OK);
	while (!look(&has_ended))
		section();
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
