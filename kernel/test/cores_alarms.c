/* SPDX-License-Identifier: MIT */
/*
 * Alarms, counters and interrupts belong to a core, and may act on tasks of all cores. For other
 * cores they are E_OS_CORE.
 */
#include "several_cores.h"

static uint32_t came, heard, knocked;

TASK(HERE)
{
	EXPECT(GetCoreID(), 0);
	count(&came);
	TerminateTask();
}

TASK(KNOCKED)
{
	EXPECT(GetCoreID(), 1);
	count(&knocked);
	TerminateTask();
}

TASK(THERE)
{
	EXPECT(WaitEvent(EV), E_OK);
	EXPECT(ClearEvent(EV), E_OK);
	EXPECT(CancelAlarm(OUT), E_OK);
	show(&heard, 1);
	EXPECT(WaitEvent(EV), E_OK); /* MAIN sets EV, so HERE has served all earlier ticks */
	EXPECT(SetRelAlarm(STEP, 2, 0), E_OK);
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT(IncrementCounter(SOFT), E_OK);
	TerminateTask();
}

static void refuse(void)
{
	TickType ticks = 0, passed;
	AlarmBaseType base;

	REFUSED(SetRelAlarm(OUT, 1, 0), E_OS_CORE, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetAbsAlarm(OUT, 1, 0), E_OS_CORE, PLF_CALL_SET_ABS_ALARM);
	REFUSED(CancelAlarm(OUT), E_OS_CORE, PLF_CALL_CANCEL_ALARM);
	REFUSED(GetAlarm(OUT, &ticks), E_OS_CORE, PLF_CALL_GET_ALARM);
	REFUSED(GetAlarmBase(OUT, &base), E_OS_CORE, PLF_CALL_GET_ALARM_BASE);
	REFUSED(IncrementCounter(SOFT), E_OS_CORE, PLF_CALL_INCREMENT_COUNTER);
	REFUSED(GetCounterValue(SOFT, &ticks), E_OS_CORE, OSServiceId_GetCounterValue);
	REFUSED(GetElapsedValue(SOFT, &ticks, &passed), E_OS_CORE, OSServiceId_GetElapsedValue);
	REFUSED(SetRelAlarm(PLF_ALARMS, 1, 0), E_OS_ID, PLF_CALL_SET_REL_ALARM);
}

/* This core raises the interrupt of the other core. */
static void knock(void)
{
	uint32_t before = look(&came);

	raise_interrupts(UINT32_C(1) << 20);
	AWAIT(look(&knocked) == 1);
	AWAIT(look(&came) == before + 1);
}

TASK(MAIN)
{
	uint32_t before;

	refuse();
	AWAIT(look(&came) >= 3); /* by the timer of the other core */
	ALLOWED(SetRelAlarm(BACK, 1, 0));
	AWAIT(look(&heard));
	AWAIT(state_of(HERE) == SUSPENDED);
	before = look(&came);
	ALLOWED(SetEvent(THERE, EV));
	AWAIT(look(&came) == before + 1);
	knock();
	ShutdownAllCores(E_OK);
}
