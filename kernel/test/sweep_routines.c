/* SPDX-License-Identifier: MIT */
/* A section that keeps out interrupt routines, alone and nested in a section that does not. */
#include "sweep_routines.h"
#include "sweep.h"

volatile uint32_t ran[PLF_TASKS];
volatile bool is_inside;

static inline void enter_with_routine(void)
{
	EXPECT(GetResource(WITH_ROUTINE), E_OK);
	EXPECT(is_inside, false);
	is_inside = true;
	let_time_pass();
}

static inline void leave_with_routine(void)
{
	EXPECT(is_inside, true);
	is_inside = false;
	EXPECT(ReleaseResource(WITH_ROUTINE), E_OK);
}

/* All tasks that the routines activated have run. */
static inline void expect_all_ran(void)
{
	uint32_t urgent = came(URGENT), high = came(HIGH), mid = came(MID);

	CHECK(ran[URGENT] >= urgent);
	CHECK(ran[HIGH] >= high);
	CHECK(ran[MID] >= mid);
}

/* No routine and no task runs inside. */
static inline void inside(void)
{
	uint32_t urgent, high, mid;

	enter_with_routine();
	urgent = came(URGENT);
	high = came(HIGH);
	mid = came(MID);
	EXPECT(ran[URGENT], urgent);
	let_time_pass();
	EXPECT(came(URGENT), urgent);
	EXPECT(came(HIGH), high);
	EXPECT(came(MID), mid);
	leave_with_routine();
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
	inside();
	ran[HIGH]++;
	TerminateTask();
}

TASK(MID)
{
	ran[MID]++;
	TerminateTask();
}

void scenario(void)
{
	inside();
	expect_all_ran();
	EXPECT(GetResource(OF_TASKS), E_OK);
	inside();
	let_time_pass();
	EXPECT(ReleaseResource(OF_TASKS), E_OK);
	expect_all_ran();
	EXPECT(GetResource(WITH_ROUTINE), E_OK);
	EXPECT(GetResource(OF_TASKS), E_OK);
	is_inside = true;
	EXPECT(ActivateTask(MID), E_OK);
	is_inside = false;
	EXPECT(ReleaseResource(OF_TASKS), E_OK);
	EXPECT(ReleaseResource(WITH_ROUTINE), E_OK);
	expect_all_ran();
}
