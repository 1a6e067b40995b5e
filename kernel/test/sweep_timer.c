/* SPDX-License-Identifier: MIT */
/*
 * Where an instruction takes a nanosecond, an alarm interrupts each of the scenario's in
 * turn: it comes a tick later each time. A second alarm follows the first one.
 */
#include "plf_clock.h"
#include "sweep.h"

enum { SETTING = 1000 }; /* nanoseconds, longer than to set two alarms */

static const AlarmType alarms[] = { FOR_URGENT, FOR_HIGH, FOR_MID };
static const TaskType tasks[] = { URGENT, HIGH, MID };
static const TickType apart[] = { 1, 2, 40, 150, 400 };
enum { ALARMS = sizeof(alarms) / sizeof(alarms[0]), PAIRS = sizeof(apart) / sizeof(apart[0]) };

/* When each has come for certain, and how often it came in the runs before. */
static volatile uint64_t due[PLF_TASKS];
static volatile uint32_t before[PLF_TASKS];

uint32_t came(TaskType task)
{
	return before[task] + (plf_user_now_ns() > due[task]);
}

/* Each instruction takes its own. */
void let_time_pass(void)
{
}

/* The service's own duration makes no difference: it comes so long after the next instruction. */
static void set(unsigned alarm, TickType delay)
{
	due[tasks[alarm]] = UINT64_MAX;
	EXPECT(SetRelAlarm(alarms[alarm], delay, 0), E_OK);
	due[tasks[alarm]] = plf_user_now_ns() + delay;
}

static void settle(void)
{
	plf_spend(2 * SETTING);
	for (unsigned task = 0; task < ALARMS; task++) {
		uint32_t times = came(tasks[task]);

		EXPECT(ran[tasks[task]], times);
		due[tasks[task]] = UINT64_MAX;
		before[tasks[task]] = times;
	}
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
}

/* Returns how long it took. */
static uint64_t run(unsigned first, unsigned second, TickType delay, TickType later)
{
	uint64_t start;

	set(first, delay + SETTING);
	if (second != first)
		set(second, delay + later + SETTING);
	start = due[tasks[first]] - delay;
	while (plf_user_now_ns() < start)
		;
	start = plf_user_now_ns();
	scenario();
	start = plf_user_now_ns() - start;
	settle();
	return start;
}

TASK(MAIN)
{
	for (unsigned task = 0; task < PLF_TASKS; task++)
		due[task] = UINT64_MAX;
	EXPECT(ActivateTask(URGENT), E_OK);
	scenario();
	for (unsigned first = 0; first < ALARMS; first++) {
		uint64_t longest = 0;

		for (TickType delay = 0; delay <= longest + 1; delay++) {
			TickType later = apart[delay % PAIRS];
			uint64_t took = run(first, (first + delay) % ALARMS, delay, later);

			longest = took > longest ? took : longest;
		}
	}
	ShutdownOS(E_OK);
}
