/* SPDX-License-Identifier: MIT */
/*
 * If an instruction takes a nanosecond, the budget of the scenario's server ends at each of its
 * instructions in turn. An alarm comes shortly before, at the same instant, or later: while the
 * server does not have the core, or has it again.
 */
#include "plf_clock.h"
#include "sweep.h"

enum {
	SETTING = 1500, /* ns: more than it takes to get the budget and set an alarm */
	LATEST = 7000,
};

static const AlarmType alarms[] = { FOR_URGENT, FOR_HIGH, FOR_MID };
static const TaskType tasks[] = { URGENT, HIGH, MID };
static const int apart[] = { -300, -40, -1, 0, 1, 150, 3000, 5900, 6000, 6001, 6400 };
enum { ALARMS = sizeof(alarms) / sizeof(alarms[0]), PAIRS = sizeof(apart) / sizeof(apart[0]) };

/* The time when each alarm has surely come, and the number of its earlier expiries. */
static volatile uint64_t due[PLF_TASKS];
static volatile uint32_t before[PLF_TASKS];
static volatile uint64_t counted; /* by the other server's task */

uint32_t came(TaskType task)
{
	return before[task] + (plf_user_now_ns() > due[task]);
}

/* Each instruction takes time. */
void let_time_pass(void)
{
}

TASK(COUNTS)
{
	for (;;)
		counted++;
}

/* Returns the end of the budget, as soon as that is at least so far away. */
static uint64_t end_of_budget(uint64_t away_ns)
{
	uint64_t left_ns;

	do
		EXPECT(GetBudget(OWN, &left_ns), E_OK);
	while (left_ns < away_ns);
	return plf_user_now_ns() + left_ns;
}

static void set(unsigned alarm, uint64_t at_ns)
{
	uint64_t delay_ns = at_ns - plf_user_now_ns();

	EXPECT(SetRelAlarm(alarms[alarm], (TickType)delay_ns, 0), E_OK);
	due[tasks[alarm]] = plf_user_now_ns() + delay_ns;
}

static void settle(uint64_t until_ns)
{
	while (plf_user_now_ns() < until_ns)
		;
	for (unsigned alarm = 0; alarm < ALARMS; alarm++) {
		uint32_t times = came(tasks[alarm]);

		EXPECT(ran[tasks[alarm]], times);
		due[tasks[alarm]] = UINT64_MAX;
		before[tasks[alarm]] = times;
	}
}

/*
 * The budget ends at this delay after the begin of the scenario, and the alarm comes later_ns after
 * that.
 */
static void run(unsigned alarm, uint64_t delay_ns, int later_ns)
{
	uint64_t end_ns = end_of_budget(delay_ns + SETTING);
	uint64_t seen = counted;

	set(alarm, end_ns + (uint64_t)(int64_t)later_ns);
	while (plf_user_now_ns() < end_ns - delay_ns)
		;
	scenario();
	settle(end_ns + LATEST + SETTING);
	CHECK(counted > seen);
}

/* The time of a run without an alarm, within a budget. */
static uint64_t length(void)
{
	uint64_t start_ns = end_of_budget(20000) - 20000;

	while (plf_user_now_ns() < start_ns)
		;
	start_ns = plf_user_now_ns();
	scenario();
	return plf_user_now_ns() - start_ns;
}

TASK(MAIN)
{
	uint64_t longest;

	for (unsigned task = 0; task < PLF_TASKS; task++)
		due[task] = UINT64_MAX;
	(void)length();
	longest = length() + 700; /* an alarm adds this time */
	for (uint64_t delay_ns = 300; delay_ns <= longest; delay_ns++)
		run((unsigned)(delay_ns % ALARMS), delay_ns, apart[delay_ns / ALARMS % PAIRS]);
	ShutdownOS(E_OK);
}
