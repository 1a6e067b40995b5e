/* SPDX-License-Identifier: MIT */
/*
 * ALARMTIME = 0 and CYCLETIME = 0 (OIL 2.5, ALARM). As with SetAbsAlarm() (OSEK 2.2.3, 13.6.3.4), a
 * counter that begins at 0 reaches that value when it has wrapped.
 */
#include "check.h"
#include "plf_clock.h"

static TickType left(AlarmType alarm)
{
	TickType ticks = 0;

	ALLOWED(GetAlarm(alarm, &ticks));
	return ticks;
}

/* Runs after the values 1 and 2, and then at each tick. */
TASK(END)
{
	EXPECT(plf_user_now_ns() / 1000000, 3);
	EXPECT(left(OF_TIME), 1);
	mark('e');
	ALLOWED(CancelAlarm(OF_TIME));
	TerminateTask();
}

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
	mark('c');
	TerminateTask();
}

static void increment(unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		ALLOWED(IncrementCounter(SOFT));
}

/* Ten ticks from 0 to 0, for alarms of autostart and for an alarm of a task. */
static void wrap(void)
{
	EXPECT(left(ONCE), 10);
	EXPECT(left(AGAIN), 10);
	ALLOWED(SetAbsAlarm(SECOND, 0, 0));
	EXPECT(left(SECOND), 10);
	increment(9);
	EXPECT_TRAIL("");
	increment(1);
	EXPECT_TRAIL("abc");
}

static void go_on(void)
{
	TickType ticks = 0;

	REFUSED(GetAlarm(ONCE, &ticks), E_OS_NOFUNC, PLF_CALL_GET_ALARM); /* cycle 0: none */
	EXPECT(left(AGAIN), 4);
	increment(3);
	EXPECT_TRAIL("");
	increment(1);
	EXPECT_TRAIL("b");
	ALLOWED(CancelAlarm(AGAIN));
	increment(16);
	EXPECT_TRAIL("");
}

TASK(MAIN)
{
	EXPECT(left(FAR), UINT32_MAX); /* all values of a counter with the highest limit */
	EXPECT(left(OF_TIME), 3);
	wrap();
	go_on();
	EXPECT(left(FAR), UINT32_MAX);
	while (test.marks == 0)
		plf_spend(1000);
	EXPECT_TRAIL("e");
	ShutdownOS(E_OK);
}
