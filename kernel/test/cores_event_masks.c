/* SPDX-License-Identifier: MIT */
/* Masks of events (OIL 2.5, EVENT) in the 31 bits that a task has on several cores. */
#include "several_cores.h"

static const EventMaskType here[] = { TOP, BOTH, A0, A1, A2, A3, A4, A5, A6, A7, A8,
				      A9,  B0,	 B1, B2, B3, B4, B5, B6, B7, B8, B9 };
static const EventMaskType there[] = { TOP, BOTH, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, D0,
				       D1,  D2,	  D3, D4, D5, D6, D7, D8, D9, E0, E1, E2, E3 };
enum { HERES = sizeof(here) / sizeof(here[0]), THERES = sizeof(there) / sizeof(there[0]) };

static uint32_t woken[2]; /* number of wake-ups, by the CPU of the task */

static EventMaskType all_of(const EventMaskType *events, unsigned count)
{
	EventMaskType all = 0;

	for (unsigned i = 0; i < count; i++) {
		EXPECT(all & events[i], 0);
		all |= events[i];
	}
	return all;
}

static void wait_for_each(const EventMaskType *events, unsigned count, unsigned cpu)
{
	for (unsigned i = 0; i < count; i++) {
		EXPECT(WaitEvent(events[i]), E_OK);
		EXPECT(ClearEvent(all_of(events, count)), E_OK);
		show(&woken[cpu], woken[cpu] + 1);
	}
	EXPECT(TerminateTask(), E_OK);
}

TASK(HERE)
{
	wait_for_each(here, HERES, 0);
}

TASK(THERE)
{
	wait_for_each(there, THERES, 1);
}

static void wake_by_each(TaskType task, const EventMaskType *events, unsigned count, unsigned cpu)
{
	EventMaskType all = all_of(events, count), set = 0;

	for (unsigned i = 0; i < count; i++) {
		AWAIT(look(&woken[cpu]) == i && state_of(task) == WAITING);
		EXPECT(SetEvent(task, all & ~events[i]), E_OK);
		EXPECT(state_of(task), WAITING);
		EXPECT(GetEvent(task, &set), E_OK);
		EXPECT(set, all & ~events[i]);
		EXPECT(SetEvent(task, events[i]), E_OK);
	}
	AWAIT(state_of(task) == SUSPENDED);
	EXPECT(look(&woken[cpu]), count);
}

TASK(MAIN)
{
	EXPECT(TOP, 1U << 30);
	CHECK(A0 == C0); /* 46 events in 31 bits */
	wake_by_each(HERE, here, HERES, 0);
	EXPECT(look(&woken[1]), 0);
	wake_by_each(THERE, there, THERES, 1);
	ShutdownAllCores(E_OK);
}
