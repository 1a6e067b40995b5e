/* SPDX-License-Identifier: MIT */
/*
 * Masks of events (OIL 2.5, EVENT). In each task that has it, an event has separate bits. The same
 * bits may be other events of other tasks.
 */
#include "check.h"

static const EventMaskType firsts[] = {
	ALL, HIGHEST, PAIR, A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, B0, B1, B2, B3,
	B4,  B5,      B6,   B7, B8, B9, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9,
};
static const EventMaskType seconds[] = {
	ALL, D0, D1, D2, D3, D4, D5, D6, D7, D8, D9, E0, E1, E2, E3, E4,
	E5,  E6, E7, E8, E9, F0, F1, F2, F3, F4, F5, F6, F7, F8, F9,
};
enum {
	FIRSTS = sizeof(firsts) / sizeof(firsts[0]),
	SECONDS = sizeof(seconds) / sizeof(seconds[0]),
};

static TaskStateType state_of(TaskType task)
{
	TaskStateType state = INVALID_TASK;

	ALLOWED(GetTaskState(task, &state));
	return state;
}

static EventMaskType set_in(TaskType task)
{
	EventMaskType events = 0;

	ALLOWED(GetEvent(task, &events));
	return events;
}

static EventMaskType all_of(const EventMaskType *events, unsigned count)
{
	EventMaskType all = 0;

	for (unsigned i = 0; i < count; i++) {
		EXPECT(all & events[i], 0); /* the events of a task have no common bits */
		all |= events[i];
	}
	return all;
}

/* Wait for each event separately, and then for the event that all tasks have. */
static void wait_for_each(const EventMaskType *events, unsigned count, char letter)
{
	for (unsigned i = 0; i < count; i++) {
		ALLOWED(WaitEvent(events[i]));
		mark(letter);
		ALLOWED(ClearEvent(all_of(events, count)));
	}
	ALLOWED(WaitEvent(ALL));
	mark('!');
}

TASK(FIRST)
{
	wait_for_each(firsts, FIRSTS, '1');
	EXPECT(set_in(FIRST), ALL);
	ALLOWED(WaitEvent(PAIR)); /* a single bit is enough */
	mark('p');
	EXPECT(set_in(FIRST), ALL | 0x20);
	ALLOWED(ClearEvent(PAIR));
	EXPECT(set_in(FIRST), ALL);
	TerminateTask();
}

TASK(SECOND)
{
	wait_for_each(seconds, SECONDS, '2');
	TerminateTask();
}

TASK(LAST)
{
	ALLOWED(WaitEvent(Z0));
	mark('z');
	ALLOWED(ClearEvent(Z0));
	ALLOWED(WaitEvent(HIGHEST));
	mark('h');
	ALLOWED(WaitEvent(ALL));
	mark('!');
	TerminateTask();
}

/*
 * All other events of the task let it wait, and the awaited event wakes it. No other task gets an
 * event.
 */
static void wake_by_each(TaskType task, const EventMaskType *events, unsigned count,
			 const char *woken)
{
	EventMaskType all = all_of(events, count);

	for (unsigned i = 0; i < count; i++) {
		ALLOWED(SetEvent(task, all & ~events[i]));
		EXPECT(state_of(task), WAITING);
		EXPECT(set_in(task), all & ~events[i]);
		EXPECT_TRAIL("");
		ALLOWED(SetEvent(task, events[i]));
		EXPECT_TRAIL(woken);
	}
	EXPECT(set_in(task), 0);
}

/* The masks that the description gives, and computed masks: 74 events in 64 bits. */
static void compare(void)
{
	EXPECT(HIGHEST, UINT64_C(1) << 63);
	EXPECT(PAIR, 0x30);
	EXPECT(UNOWNED, UINT64_C(3) << 61);
	CHECK(A0 == D0 && D0 == Z0);
	EXPECT(all_of(firsts, FIRSTS) & UNOWNED, 0);
	EXPECT((Z0 | Z1 | Z2 | Z3 | Z4 | Z5 | Z6 | Z7 | Z8 | Z9) & (ALL | HIGHEST), 0);
}

TASK(MAIN)
{
	compare();
	ALLOWED(IncrementCounter(SOFT)); /* only its task has the alarm's event */
	EXPECT_TRAIL("z");
	EXPECT(set_in(FIRST) | set_in(SECOND), 0);
	wake_by_each(FIRST, firsts, FIRSTS, "1");
	wake_by_each(SECOND, seconds, SECONDS, "2");
	EXPECT(set_in(LAST), 0);
	ALLOWED(SetEvent(LAST, HIGHEST));
	EXPECT_TRAIL("h");
	ALLOWED(SetEvent(LAST, UNOWNED)); /* no task waits for these bits */
	EXPECT(set_in(LAST), HIGHEST | UNOWNED);
	EXPECT_TRAIL("");
	for (TaskType task = FIRST; task <= LAST; task++)
		ALLOWED(SetEvent(task, ALL));
	EXPECT_TRAIL("!!!");
	ALLOWED(SetEvent(FIRST, 0x20));
	EXPECT_TRAIL("p");
	for (TaskType task = FIRST; task <= LAST; task++)
		EXPECT(state_of(task), SUSPENDED);
	ALLOWED(ActivateTask(FIRST)); /* it ended with its first event set */
	EXPECT(state_of(FIRST), WAITING);
	EXPECT(set_in(FIRST), 0);
	ShutdownOS(E_OK);
}
