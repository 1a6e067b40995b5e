/* SPDX-License-Identifier: MIT */
/*
 * A task of a core fills its core's words with random values. It calls the services as fast as it
 * can for tasks of the other core. These tasks stay correct, and no activation comes without room.
 * At the end it ends its core, and the other core continues.
 */
#include "several_cores.h"

enum { CALLS = 1500, QUEUE = 3, AFTERWARDS = 20, WHATEVER = 21 };

static uint32_t is_inside, sections, wakes, has_ended;
static uint32_t accepted[PLF_CPUS], ran; /* activations of MID by tasks of each core */

/* Lets the other core continue, also on boards that execute a single core at a time. */
static void pass(uint64_t ns)
{
	plf_spend(ns);
	plf_relax();
}

TASK(MID)
{
	GetResource(R0);
	EXPECT(is_inside, 0);
	ReleaseResource(R0);
	ran++;
	TerminateTask();
}

TASK(WAITER)
{
	for (;;) {
		EventMaskType set = 0;

		EXPECT(WaitEvent(A | B), E_OK);
		EXPECT(GetEvent(WAITER, &set), E_OK);
		CHECK(set & (A | B));
		EXPECT(ClearEvent(A | B), E_OK);
		wakes++;
	}
}

static void activate_mid(uint32_t core)
{
	if (ActivateTask(MID) == E_OK)
		count(&accepted[core]);
}

/*
 * A section in which MID gives no room back. An activation may have been accepted just before it is
 * counted inside.
 */
static void section(void)
{
	uint32_t before;

	GetResource(R0);
	is_inside = 1;
	before = look(&accepted[1]);
	activate_mid(0);
	pass(50);
	CHECK(look(&accepted[1]) - before <= QUEUE + 1);
	is_inside = 0;
	ReleaseResource(R0);
	count(&sections);
}

TASK(LOW)
{
	while (!look(&has_ended)) {
		section();
		pass(20);
	}
	for (uint32_t i = 0; i < AFTERWARDS; i++) {
		section();
		pass(20);
	}
	CHECK(wakes > 0);
	EXPECT(ran, accepted[0] + accepted[1]);
	ShutdownAllCores(E_OK);
}

TASK(ABOVE)
{
	GetResource(R1);
	pass(7);
	ReleaseResource(R1);
	TerminateTask();
}

static uint32_t random(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

/*
 * Spoil only the words of the running task, because on the board the words of resources may be
 * unmapped.
 */
static void spoil(void)
{
	volatile uint32_t *words = (volatile uint32_t *)plf_find_page();

	for (uint32_t i = 0; i < sizeof(struct plf_words) / sizeof(*words); i++)
		words[i] = random();
}

/* No such call ends the caller. */
static void call(uint32_t which)
{
	TaskStateType state;
	EventMaskType events;
	TaskType task = (TaskType)(random() % (PLF_TASKS + 2));

	switch (which % 7) {
	case 0:
		if (task == MID)
			activate_mid(1);
		else
			(void)ActivateTask(task);
		break;
	case 1:
		(void)SetEvent(task, (EventMaskType)1 << random() % 64);
		break;
	case 2:
		(void)SetEvent(WAITER, A | B);
		break;
	case 3:
		(void)GetEvent(task, &events);
		break;
	case 4:
		(void)GetTaskState(task, &state);
		break;
	case 5:
		(void)ChainTask((TaskType)(PLF_TASKS + random() % 5));
		break;
	default:
		(void)Schedule();
	}
}

TASK(FOUL)
{
	AWAIT(look(&sections) > 0); /* the others have begun */
	for (uint32_t i = 0; i < CALLS || accepted[1] <= QUEUE; i++) {
		spoil();
		call(random());
		(void)ActivateTask(ABOVE); /* makes the kernel write this core's words */
		activate_mid(1);
		plf_relax();
	}
	show(&has_ended, true);
	ShutdownOS(WHATEVER);
}
