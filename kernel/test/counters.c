/* SPDX-License-Identifier: MIT */
/*
 * The values of counters, without alarms: AUTOSAR OS 4.x, GetCounterValue() and GetElapsedValue().
 */
#include "check.h"
#include "plf_clock.h"

static TickType value_of(CounterType counter)
{
	TickType value = UINT32_MAX;

	ALLOWED(GetCounterValue(counter, &value));
	return value;
}

/* Returns the ticks since `before`. The counter must be at `now`. */
static TickType since(CounterType counter, TickType before, TickType now)
{
	TickType value = before, elapsed = UINT32_MAX;

	ALLOWED(GetElapsedValue(counter, &value, &elapsed));
	EXPECT(value, now);
	return elapsed;
}

static void increment(CounterType counter, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		ALLOWED(IncrementCounter(counter));
}

/* From 0 to the highest value, and then 0. */
static void wrap(void)
{
	EXPECT(value_of(SOFT), 0);
	EXPECT(since(SOFT, 0, 0), 0);
	increment(SOFT, 9);
	EXPECT(value_of(SOFT), 9);
	EXPECT(since(SOFT, 0, 9), 9);
	increment(SOFT, 1);
	EXPECT(value_of(SOFT), 0);
	EXPECT(since(SOFT, 9, 0), 1);
	increment(SOFT, 3);
	EXPECT(since(SOFT, 3, 3), 0);
	EXPECT(since(SOFT, 4, 3), 9);
	increment(SOFT, 20);
	EXPECT(value_of(SOFT), 3);
}

/* Counters with two values, and with the most values possible. */
static void extremes(void)
{
	increment(PAIR, 3);
	EXPECT(value_of(PAIR), 1);
	EXPECT(since(PAIR, 0, 1), 1);
	increment(WIDEST, 2);
	EXPECT(value_of(WIDEST), 2);
	EXPECT(since(WIDEST, UINT32_MAX - 1, 2), 3);
	EXPECT(since(WIDEST, 3, 2), UINT32_MAX - 1);
	REFUSED(GetElapsedValue(WIDEST, &(TickType) { UINT32_MAX }, &(TickType) { 0 }), E_OS_VALUE,
		OSServiceId_GetElapsedValue);
}

/* A counter of time counts without calls, and wraps. */
static void of_time(void)
{
	TickType value = value_of(MILLIS), elapsed = 0, passed = 0;

	while (plf_user_now_ns() < 25000000) {
		plf_spend(500000);
		ALLOWED(GetElapsedValue(MILLIS, &value, &elapsed));
		passed += elapsed;
		EXPECT(value, passed % 10);
	}
	CHECK(passed >= 25);
}

static void refuse(void)
{
	TickType value = 10, elapsed = 7;

	REFUSED(GetCounterValue(INVALID_COUNTER, &value), E_OS_ID, OSServiceId_GetCounterValue);
	REFUSED(GetCounterValue(PLF_COUNTERS, &value), E_OS_ID, OSServiceId_GetCounterValue);
	REFUSED(GetElapsedValue(PLF_COUNTERS, &value, &elapsed), E_OS_ID,
		OSServiceId_GetElapsedValue);
	REFUSED(GetElapsedValue(SOFT, &value, &elapsed), E_OS_VALUE, OSServiceId_GetElapsedValue);
	EXPECT(value, 10); /* both are unchanged */
	EXPECT(elapsed, 7);
	if (PLF_EXTENDED_STATUS) {
		REFUSED(GetCounterValue(SOFT, NULL), E_OS_PARAM_POINTER,
			OSServiceId_GetCounterValue);
		REFUSED(GetElapsedValue(SOFT, NULL, &elapsed), E_OS_PARAM_POINTER,
			OSServiceId_GetElapsedValue);
		REFUSED(GetElapsedValue(SOFT, &value, NULL), E_OS_PARAM_POINTER,
			OSServiceId_GetElapsedValue);
	}
}

/* As all services except services of interrupts. */
static void hold_back(void)
{
	TickType value = 0, elapsed = 0;

	SuspendAllInterrupts();
	REFUSED(GetCounterValue(SOFT, &value), E_OS_DISABLEDINT, OSServiceId_GetCounterValue);
	REFUSED(GetElapsedValue(SOFT, &value, &elapsed), E_OS_DISABLEDINT,
		OSServiceId_GetElapsedValue);
	ResumeAllInterrupts();
}

TASK(MAIN)
{
	wrap();
	extremes();
	refuse();
	if (PLF_EXTENDED_STATUS)
		hold_back();
	of_time();
	ShutdownOS(E_OK);
}
