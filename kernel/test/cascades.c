/* SPDX-License-Identifier: MIT */
/* Alarms that increment counters: at once, tick by tick, also by the timer. */
#include "check.h"
#include "plf_clock.h"

static uint32_t timed;

TASK(A)
{
	mark('a');
	TerminateTask();
}

TASK(B)
{
	mark('b');
	TerminateTask();
}

TASK(C)
{
	timed++;
	TerminateTask();
}

static void tick(unsigned times)
{
	while (times--) {
		ALLOWED(IncrementCounter(FIRST));
		mark('.');
	}
}

static TickType left(AlarmType alarm)
{
	TickType ticks = 0;

	ALLOWED(GetAlarm(alarm, &ticks));
	return ticks;
}

/* A tick of the second counter is two ticks of the first, and a tick of the third is six. */
static void in_a_row(void)
{
	ALLOWED(SetRelAlarm(TO_SECOND, 2, 2));
	ALLOWED(SetRelAlarm(TO_THIRD, 3, 3));
	ALLOWED(SetRelAlarm(OF_THIRD, 2, 1));
	tick(11);
	EXPECT_TRAIL("...........");
	EXPECT(left(TO_SECOND), 1);
	EXPECT(left(TO_THIRD), 1);
	EXPECT(left(OF_THIRD), 1);
	tick(8);
	EXPECT_TRAIL("a......a..");
	ALLOWED(CancelAlarm(OF_THIRD));
	ALLOWED(CancelAlarm(TO_THIRD));
	ALLOWED(CancelAlarm(TO_SECOND));
}

/* All alarms that a tick lets expire do so before the next alarm of the first counter. */
static void at_once(void)
{
	ALLOWED(SetRelAlarm(TO_SECOND, 1, 0));
	ALLOWED(SetRelAlarm(OF_FIRST, 1, 0));
	ALLOWED(SetRelAlarm(OF_SECOND, 1, 0));
	tick(1);
	EXPECT_TRAIL("ab.");
	ALLOWED(SetRelAlarm(OF_FIRST, 1, 0));
	ALLOWED(SetRelAlarm(TO_SECOND, 1, 0));
	ALLOWED(SetRelAlarm(OF_SECOND, 1, 0));
	tick(1);
	EXPECT_TRAIL("ba.");
}

/* Calls, too, can increment both counters that alarms increment. */
static void by_calls(void)
{
	ALLOWED(SetRelAlarm(OF_SECOND, 2, 0));
	ALLOWED(SetRelAlarm(TO_SECOND, 1, 0));
	ALLOWED(IncrementCounter(SECOND));
	mark('-');
	tick(1);
	EXPECT_TRAIL("-a.");
}

static void by_time(void)
{
	EXPECT(timed, 0);
	while (timed < 3)
		plf_spend(1000000);
	CHECK(plf_user_now_ns() >= 6000000);
}

TASK(MAIN)
{
	in_a_row();
	at_once();
	by_calls();
	by_time();
	REFUSED(IncrementCounter(MILLIS), E_OS_ID, OSServiceId_IncrementCounter);
	ShutdownOS(E_OK);
}
