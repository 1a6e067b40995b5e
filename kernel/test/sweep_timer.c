/* SPDX-License-Identifier: MIT */
/*
 * If an instruction takes a nanosecond, an alarm interrupts each instruction of the scenario in
 * turn, a tick later each time. A second alarm follows the first.
 */
#include "plf_clock.h"
#include "sweep.h"

enum { SETTING = 1000 }; /* ns: more than it takes to set two alarms */

static const AlarmType alarms[] = { FOR_URGENT, FOR_HIGH, FOR_MID };
static const TaskType tasks[] = { URGENT, HIGH, MID };
static const TickType apart[] = { 1, 2, 40, 150, 400 };
enum { ALARMS = sizeof(alarms) / sizeof(alarms[0]), PAIRS = sizeof(apart) / sizeof(apart[0]) };

/* The time when each alarm has surely come, and the number of its earlier expiries. */
static volatile uint64_t due[PLF_TASKS];
static volatile uint32_t before[PLF_TASKS];

uint32_t came(TaskType task)
{
	return before[task] + (plf_user_now_ns() > due[task]);
}

/* Each instruction takes time. */
void let_time_pass(void)
{
}

/*
 * The duration of the service does not count: the alarm comes at this delay after the next
 * instruction.
 */
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

/* Returns the duration of the run. */
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
