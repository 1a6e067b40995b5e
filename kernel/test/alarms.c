/* SPDX-License-Identifier: MIT */
/* Counters and alarms, tick by tick on a software counter (OSEK 2.2.3, 9 and 13.6.3). */
#include "check.h"

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

TASK(E)
{
	for (;;) {
		ALLOWED(WaitEvent(EV));
		ALLOWED(ClearEvent(EV));
		mark('e');
	}
}

/* A task that an alarm starts has run before IncrementCounter() returns. */
static void tick(unsigned times)
{
	while (times--) {
		ALLOWED(IncrementCounter(SOFT));
		mark('.');
	}
}

static TickType left(AlarmType alarm)
{
	TickType ticks = 0;

	ALLOWED(GetAlarm(alarm, &ticks));
	return ticks;
}

/* The counter must be 0 before. */
static void autostarted(void)
{
	REFUSED(SetRelAlarm(AUTO, 1, 0), E_OS_STATE, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetAbsAlarm(AUTO, 1, 0), E_OS_STATE, PLF_CALL_SET_ABS_ALARM);
	/* Values are checked first, and nothing changes. */
	REFUSED(SetRelAlarm(AUTO, 0, 0), E_OS_VALUE, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetAbsAlarm(AUTO, 10, 0), E_OS_VALUE, PLF_CALL_SET_ABS_ALARM);
	EXPECT(left(AUTO), 3);
	tick(11);
	EXPECT_TRAIL("..a....a....a.");
}

/* The counter must be 1 before, and wraps after 9. */
static void once(void)
{
	ALLOWED(CancelAlarm(AUTO));
	REFUSED(CancelAlarm(AUTO), E_OS_NOFUNC, PLF_CALL_CANCEL_ALARM);
	ALLOWED(SetRelAlarm(ONE, 3, 0));
	ALLOWED(SetRelAlarm(TWO, 1, 0));
	tick(4);
	EXPECT_TRAIL("b..a..");
	ALLOWED(SetAbsAlarm(ONE, 5, 0)); /* the counter is 5, so it expires in the next round */
	EXPECT(left(ONE), 10);
	ALLOWED(SetAbsAlarm(TWO, 6, 0));
	ALLOWED(SetAbsAlarm(SET, 0, 0));
	EXPECT(left(SET), 5);
	tick(10);
	EXPECT_TRAIL("b....e.....a.");
	ALLOWED(SetRelAlarm(ONE, 9, 0));
	tick(8);
	EXPECT(left(ONE), 1);
	ALLOWED(CancelAlarm(ONE));
	tick(2);
	EXPECT_TRAIL("..........");
}

/*
 * The counter is 5 again. Alarms of the same tick expire in the order in which they were set, and
 * their tasks then run by priority.
 */
static void cyclic(void)
{
	ALLOWED(SetRelAlarm(SET, 2, 3));
	ALLOWED(SetAbsAlarm(TWO, 7, 6));
	ALLOWED(SetRelAlarm(ONE, 2, 9));
	tick(11);
	EXPECT_TRAIL(".abe...e...be...ae.");
	EXPECT(left(ONE), 9);
	ALLOWED(CancelAlarm(ONE));
	ALLOWED(CancelAlarm(TWO));
	ALLOWED(CancelAlarm(SET));
	tick(20);
	EXPECT_TRAIL("....................");
}

/* Only ErrorHook gets the error of an alarm. */
static void limit(void)
{
	ALLOWED(SetRelAlarm(SELF, 1, 0));
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT(test.errors, 1);
	EXPECT(test.error, E_OS_LIMIT);
	EXPECT(test.service, PLF_CALL_ACTIVATE_TASK);
}

static void refuse(void)
{
	AlarmBaseType base = { 0, 0, 0 };
	TickType ticks = 0;

	REFUSED(GetAlarm(PLF_ALARMS, &ticks), E_OS_ID, OSServiceId_GetAlarm);
	REFUSED(CancelAlarm(INVALID_ALARM), E_OS_ID, OSServiceId_CancelAlarm);
	REFUSED(IncrementCounter(INVALID_COUNTER), E_OS_ID, OSServiceId_IncrementCounter);
	REFUSED(GetAlarm(ONE, &ticks), E_OS_NOFUNC, PLF_CALL_GET_ALARM);
	REFUSED(GetAlarmBase(PLF_ALARMS, &base), E_OS_ID, PLF_CALL_GET_ALARM_BASE);
	REFUSED(SetRelAlarm(PLF_ALARMS, 1, 0), E_OS_ID, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetRelAlarm(PLF_ALARMS, 0, 1), E_OS_ID, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetRelAlarm(ONE, 0, 0), E_OS_VALUE, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetRelAlarm(ONE, 10, 0), E_OS_VALUE, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetRelAlarm(ONE, 1, 1), E_OS_VALUE, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetRelAlarm(ONE, 1, 10), E_OS_VALUE, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetAbsAlarm(PLF_ALARMS, 1, 0), E_OS_ID, PLF_CALL_SET_ABS_ALARM);
	REFUSED(SetAbsAlarm(ONE, 10, 0), E_OS_VALUE, PLF_CALL_SET_ABS_ALARM);
	REFUSED(SetAbsAlarm(ONE, 1, 1), E_OS_VALUE, PLF_CALL_SET_ABS_ALARM);
	REFUSED(SetAbsAlarm(ONE, 1, 10), E_OS_VALUE, PLF_CALL_SET_ABS_ALARM);
	REFUSED(CancelAlarm(PLF_ALARMS), E_OS_ID, PLF_CALL_CANCEL_ALARM);
	REFUSED(IncrementCounter(PLF_COUNTERS), E_OS_ID, PLF_CALL_INCREMENT_COUNTER);
	REFUSED(IncrementCounter(TIMED), E_OS_ID, PLF_CALL_INCREMENT_COUNTER);
	if (PLF_EXTENDED_STATUS) {
		REFUSED(GetAlarm(AUTO, NULL), E_OS_PARAM_POINTER, PLF_CALL_GET_ALARM);
		REFUSED(GetAlarmBase(ONE, NULL), E_OS_PARAM_POINTER, PLF_CALL_GET_ALARM_BASE);
	}
	ALLOWED(GetAlarmBase(ONE, &base));
	EXPECT(base.maxallowedvalue, 9);
	EXPECT(base.ticksperbase, 4);
	EXPECT(base.mincycle, 2);
	EXPECT(OSMAXALLOWEDVALUE_SOFT, 9);
	EXPECT(OSTICKSPERBASE_SOFT, 4);
	EXPECT(OSMINCYCLE_SOFT, 2);
	ALLOWED(GetAlarmBase(LATE, &base)); /* the system counter, which counts time */
	EXPECT(base.maxallowedvalue, OSMAXALLOWEDVALUE);
	EXPECT(base.ticksperbase, OSTICKSPERBASE);
	EXPECT(base.mincycle, OSMINCYCLE);
	EXPECT(OSMAXALLOWEDVALUE, 100);
	EXPECT(OSTICKDURATION, 1000000);
}

/* Alarms that expire together do so in the order in which they were set. */
static void together(void)
{
	ALLOWED(SetRelAlarm(ONE, 1, 0));
	ALLOWED(SetRelAlarm(PEER, 1, 0));
	tick(1);
	ALLOWED(SetRelAlarm(PEER, 1, 0));
	ALLOWED(SetRelAlarm(ONE, 1, 0));
	tick(1);
	EXPECT_TRAIL("ac.ca.");
}

TASK(MAIN)
{
	refuse();
	autostarted();
	once();
	cyclic();
	together();
	limit();
	ShutdownOS(E_OK);
}
