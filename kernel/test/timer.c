/* SPDX-License-Identifier: MIT */
/*
 * Alarms of two counters that the port's timer drives, while a task works and while no task runs.
 */
#include "check.h"
#include "plf_clock.h"

static uint32_t runs;
static uint64_t ran_us;

static uint64_t now_us(void)
{
	return plf_user_now_ns() / 1000;
}

/* Time counts from the start, so a cycle of three is exact also in a counter of five values. */
TASK(A)
{
	runs++;
	ran_us = now_us();
	TerminateTask();
}

static void sleep_until(uint64_t us)
{
	ALLOWED(SetRelAlarm(WAKE, (TickType)(us - now_us()), 0));
	ALLOWED(WaitEvent(EV));
	ALLOWED(ClearEvent(EV));
}

/* Half of the time asleep, half at work. The tick comes in both cases. */
static void autostarted(void)
{
	uint64_t expected_us = now_us() / 1000 * 1000 + 2000;
	TickType left = 0;

	ALLOWED(GetAlarm(AUTO, &left));
	EXPECT(left, 2);
	for (unsigned i = 1; i < 10; i++) {
		sleep_until(expected_us + 1500);
		EXPECT(runs, i);
		CHECK(ran_us >= expected_us && ran_us < expected_us + 50);
		expected_us += 3000;
		while (i % 2 && now_us() < expected_us + 500)
			plf_spend(1000);
	}
}

static void absolute(void)
{
	uint64_t until_us = now_us() / 65536 * 65536 + 65536 + 10;
	uint64_t before_us = now_us();
	uint32_t before = runs;
	TickType left = 0;

	ALLOWED(CancelAlarm(AUTO));
	ALLOWED(SetAbsAlarm(FINE, 10, 0));
	ALLOWED(GetAlarm(FINE, &left));
	CHECK(left <= until_us - before_us);
	sleep_until(until_us + 1000);
	EXPECT(runs, before + 1);
	CHECK(ran_us >= until_us && ran_us < until_us + 50);
}

/* An alarm is cancelled while it is the next to come. The other alarm comes on time. */
static void cancelled(void)
{
	uint32_t before = runs;

	ALLOWED(SetRelAlarm(FINE, 10, 10));
	plf_spend(35000);
	ALLOWED(CancelAlarm(FINE));
	EXPECT(runs, before + 3);
	sleep_until(now_us() + 1000);
	EXPECT(runs, before + 3);
}

TASK(MAIN)
{
	ALLOWED(SetRelAlarm(FAR, 4294967294, 0)); /* beyond a clock of nanoseconds */
	autostarted();
	absolute();
	cancelled();
	ShutdownOS(E_OK);
}
