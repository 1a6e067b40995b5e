/* SPDX-License-Identifier: MIT */
/*
 * Events across cores: no event is lost, and several events wake a task only once. A suspended task
 * has no events (OSEK 2.2.3, 13.5.3; Mueller 2014, IV.A).
 */
#include "several_cores.h"

enum { ROUNDS = 200, SETTERS = 3 };

static uint32_t has_begun, rounds[SETTERS];
static const TaskType setters[SETTERS] = { MAIN, SECOND, THIRD };
static const EventMaskType events[SETTERS] = { A, B, C };

/* Every setter continues when it has its answer, so each event must wake the waiter. */
TASK(WAITER)
{
	uint32_t heard[SETTERS] = { 0 };

	show(&has_begun, true);
	for (uint32_t all = 0; all < SETTERS * ROUNDS;) {
		EventMaskType set = 0;

		EXPECT(WaitEvent(A | B | C), E_OK);
		EXPECT(GetEvent(WAITER, &set), E_OK);
		CHECK(set & (A | B | C));
		EXPECT(ClearEvent(set & (A | B | C)), E_OK);
		for (uint32_t setter = 0; setter < SETTERS; setter++)
			if (set & events[setter]) {
				heard[setter]++;
				all++;
				EXPECT(look(&rounds[setter]), heard[setter]);
				EXPECT(SetEvent(setters[setter], BACK), E_OK);
			}
	}
	EXPECT(WaitEvent(LAST), E_OK);
	TerminateTask();
}

/* BELOW runs while WAITER waits. Each wake-up of WAITER preempts it. */
TASK(BELOW)
{
	for (;;)
		plf_relax();
}

static void set_all(uint32_t setter)
{
	for (uint32_t round = 0; round < ROUNDS; round++) {
		count(&rounds[setter]);
		EXPECT(SetEvent(WAITER, events[setter]), E_OK);
		EXPECT(WaitEvent(BACK), E_OK);
		EXPECT(ClearEvent(BACK), E_OK);
	}
}

static void refuse(void)
{
	EventMaskType set = 5;

	REFUSED(SetEvent(BELOW, A), E_OS_ACCESS, PLF_CALL_SET_EVENT);
	if (PLF_EXTENDED_STATUS) {
		REFUSED(SetEvent(WAITER, A), E_OS_STATE, PLF_CALL_SET_EVENT);
		REFUSED(GetEvent(WAITER, &set), E_OS_STATE, PLF_CALL_GET_EVENT);
		EXPECT(set, 5);
	} else {
		ALLOWED(SetEvent(WAITER, A));
		ALLOWED(GetEvent(WAITER, &set));
		EXPECT(set, 0);
	}
}

static void end(void)
{
	for (uint32_t setter = 0; setter < SETTERS; setter++)
		AWAIT(look(&rounds[setter]) == ROUNDS);
	AWAIT(state_of(WAITER) == WAITING);
	EXPECT(SetEvent(WAITER, LAST), E_OK);
	AWAIT(state_of(WAITER) == SUSPENDED);
}

TASK(MAIN)
{
	refuse();
	ALLOWED(ActivateTask(WAITER));
	set_all(0);
	end();
	refuse();
	ALLOWED(ActivateTask(WAITER)); /* earlier events are gone */
	AWAIT(state_of(WAITER) == WAITING);
	ShutdownAllCores(E_OK);
}

TASK(SECOND)
{
	AWAIT(look(&has_begun));
	set_all(1);
	TerminateTask();
}

TASK(THIRD)
{
	AWAIT(look(&has_begun));
	set_all(2);
	TerminateTask();
}
