/* SPDX-License-Identifier: MIT */
/*
 * A task of one core writes anything into its core's words, and calls the services with anything,
 * for tasks of the other core, too: what those do there stays right.
 */
#include "several_cores.h"

enum { CALLS = 1500 };

static uint32_t is_inside, sections, wakes, has_ended;

TASK(MID)
{
	GetResource(R0);
	EXPECT(is_inside, 0);
	ReleaseResource(R0);
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

static void section(void)
{
	GetResource(R0);
	is_inside = 1;
	(void)ActivateTask(MID);
	plf_spend(50);
	is_inside = 0;
	ReleaseResource(R0);
	count(&sections);
}

TASK(LOW)
{
	while (!look(&has_ended)) {
		section();
		plf_relax();
	}
	CHECK(wakes > 0);
	ShutdownAllCores(E_OK);
}

TASK(ABOVE)
{
	GetResource(R1);
	ReleaseResource(R1);
	TerminateTask();
}

static uint32_t random(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

/* The words of the running task only: on the board those of resources may be in no table. */
static void spoil(void)
{
	volatile uint32_t *word = (volatile uint32_t *)plf_find_page();

	word[random() % (sizeof(struct plf_words) / sizeof(*word))] = random();
}

/* None of these ends the caller. */
static void call(uint32_t which)
{
	TaskStateType state;
	EventMaskType events;
	TaskType task = (TaskType)(random() % (PLF_TASKS + 2));

	switch (which % 7) {
	case 0:
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
	AWAIT(look(&sections) > 0); /* the others are at it */
	for (uint32_t i = 0; i < CALLS; i++) {
		spoil();
		call(random());
		plf_relax();
	}
	show(&has_ended, true);
	for (;;)
		plf_relax();
}
