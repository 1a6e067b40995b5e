/* SPDX-License-Identifier: MIT */
#include "sweep.h"

volatile uint32_t ran[PLF_TASKS];
static volatile TaskType owner[PLF_RESOURCES + 1];

enum { NONE = 0 };

/* Plain data, which only the section protects. Owners count from 1. */
static inline void enter(ResourceType resource, TaskType me)
{
	EXPECT(GetResource(resource), E_OK);
	EXPECT(owner[resource], NONE);
	owner[resource] = (TaskType)(me + 1);
	let_time_pass();
}

static inline void leave(ResourceType resource, TaskType me)
{
	EXPECT(owner[resource], me + 1);
	owner[resource] = NONE;
	EXPECT(ReleaseResource(resource), E_OK);
	let_time_pass();
}

/*
 * Every activation of a task that no section keeps out has run, because it came before this check.
 */
static inline void expect_ran(TaskType task)
{
	uint32_t times = came(task);

	CHECK(ran[task] >= times);
}

TASK(URGENT)
{
	for (;;) {
		EXPECT(WaitEvent(EV), E_OK);
		EXPECT(ClearEvent(EV), E_OK);
		ran[URGENT] = came(URGENT);
	}
}

TASK(HIGH)
{
	expect_ran(URGENT);
	enter(R5, HIGH);
	expect_ran(URGENT);
	leave(R5, HIGH);
	ran[HIGH]++;
	TerminateTask();
}

TASK(MID)
{
	expect_ran(HIGH);
	enter(R3, MID);
	expect_ran(HIGH);
	leave(R3, MID);
	expect_ran(URGENT);
	ran[MID]++;
	TerminateTask();
}

static inline void expect_all_ran(void)
{
	expect_ran(URGENT);
	expect_ran(HIGH);
	expect_ran(MID);
}

/* The outer section keeps MID out, the inner section HIGH, too. */
static void rising(void)
{
	uint32_t mid, high;

	enter(R3, MAIN);
	mid = ran[MID];
	expect_ran(HIGH);
	enter(R5, MAIN);
	high = ran[HIGH];
	expect_ran(URGENT);
	EXPECT(ran[HIGH], high);
	leave(R5, MAIN);
	expect_ran(HIGH);
	EXPECT(ran[MID], mid);
	leave(R3, MAIN);
}

/* The inner section changes nothing. */
static void falling(void)
{
	uint32_t mid, high;

	enter(R5, MAIN);
	mid = ran[MID];
	high = ran[HIGH];
	enter(R3, MAIN);
	EXPECT(ran[HIGH], high);
	leave(R3, MAIN);
	EXPECT(ran[MID], mid);
	EXPECT(ran[HIGH], high);
	leave(R5, MAIN);
}

static void alone(void)
{
	uint32_t urgent, high;

	EXPECT(GetResource(RES_SCHEDULER), E_OK);
	urgent = ran[URGENT];
	high = ran[HIGH];
	EXPECT(ran[HIGH], high);
	EXPECT(ran[URGENT], urgent);
	EXPECT(ReleaseResource(RES_SCHEDULER), E_OK);
}

void scenario(void)
{
	rising();
	expect_all_ran();
	falling();
	expect_all_ran();
	alone();
	expect_all_ran();
	EXPECT(Schedule(), E_OK);
	expect_all_ran();
}
