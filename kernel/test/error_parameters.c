/* SPDX-License-Identifier: MIT */
/* The macros of ErrorHook for the service and its parameters (OSEK 2.2.3, Section 11.2). */
#include "error_parameters.h"
#include "check.h"

DeclareTask(EXTENDED);
DeclareResource(R);
DeclareEvent(EV);
DeclareAlarm(ALARM);

struct learned learned;

static void expect(StatusType found, StatusType status, OSServiceIdType service, uint64_t a,
		   uint64_t b, uint64_t c, uint32_t line)
{
	test_equal(found, status, __FILE__, line);
	test_equal(learned.errors, 1, __FILE__, line);
	test_equal(learned.status, status, __FILE__, line);
	test_equal(learned.service, service, __FILE__, line);
	test_equal(learned.parameters[0], a, __FILE__, line);
	test_equal(learned.parameters[1], b, __FILE__, line);
	test_equal(learned.parameters[2], c, __FILE__, line);
	learned.errors = 0;
}

/* The call must fail, and ErrorHook must get the status, the service and its parameters. */
#define LEARNS(call, status, service, a, b, c)                                                     \
	expect(call, status, OSServiceId_##service, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c),   \
	       __LINE__)

static void of_tasks(void)
{
	TaskStateType state;

	LEARNS(ActivateTask(INVALID_TASK), E_OS_ID, ActivateTask, INVALID_TASK, NOTHING, NOTHING);
	LEARNS(ActivateTask(EXTENDED), E_OS_LIMIT, ActivateTask, EXTENDED, NOTHING, NOTHING);
	LEARNS(ChainTask(EXTENDED), E_OS_LIMIT, ChainTask, EXTENDED, NOTHING, NOTHING);
	LEARNS(GetTaskState(99, &state), E_OS_ID, GetTaskState, 99, &state, NOTHING);
}

static void of_events(void)
{
	EventMaskType events;

	LEARNS(SetEvent(MAIN, EV), E_OS_ACCESS, SetEvent, MAIN, EV, NOTHING);
	LEARNS(SetEvent(98, UINT64_C(1) << 63), E_OS_ID, SetEvent, 98, UINT64_C(1) << 63, NOTHING);
	LEARNS(ClearEvent(EV | 6), E_OS_ACCESS, ClearEvent, EV | 6, NOTHING, NOTHING);
	LEARNS(WaitEvent(EV | 4), E_OS_ACCESS, WaitEvent, EV | 4, NOTHING, NOTHING);
	LEARNS(GetEvent(MAIN, &events), E_OS_ACCESS, GetEvent, MAIN, &events, NOTHING);
}

static void of_alarms(void)
{
	AlarmBaseType base;
	TickType ticks = 0, passed;

	LEARNS(SetRelAlarm(ALARM, 0, 7), E_OS_VALUE, SetRelAlarm, ALARM, 0, 7);
	LEARNS(SetRelAlarm(ALARM, 100, 7), E_OS_VALUE, SetRelAlarm, ALARM, 100, 7);
	LEARNS(SetAbsAlarm(OTHER, 5, 101), E_OS_VALUE, SetAbsAlarm, OTHER, 5, 101);
	LEARNS(CancelAlarm(OTHER), E_OS_NOFUNC, CancelAlarm, OTHER, NOTHING, NOTHING);
	LEARNS(GetAlarm(OTHER, &ticks), E_OS_NOFUNC, GetAlarm, OTHER, &ticks, NOTHING);
	LEARNS(GetAlarmBase(97, &base), E_OS_ID, GetAlarmBase, 97, &base, NOTHING);
	LEARNS(IncrementCounter(96), E_OS_ID, IncrementCounter, 96, NOTHING, NOTHING);
	LEARNS(GetCounterValue(95, &ticks), E_OS_ID, GetCounterValue, 95, &ticks, NOTHING);
	LEARNS(GetElapsedValue(94, &ticks, &passed), E_OS_ID, GetElapsedValue, 94, &passed,
	       NOTHING);
}

/* An alarm reports the error of its action. */
static void of_expiries(void)
{
	LEARNS((EXPECT(SetRelAlarm(ALARM, 1, 0), E_OK), IncrementCounter(SOFT), learned.status),
	       E_OS_LIMIT, ActivateTask, EXTENDED, NOTHING, NOTHING);
	EXPECT(SetRelAlarm(SETS, 1, 0), E_OK);
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT(learned.errors, PLF_EXTENDED_STATUS); /* the task is suspended */
	if (PLF_EXTENDED_STATUS)
		LEARNS(learned.status, E_OS_STATE, SetEvent, SLEEPING, EV, NOTHING);
}

static void of_extended_status(void)
{
	LEARNS(GetTaskID(NULL), E_OS_PARAM_POINTER, GetTaskID, NULL, NOTHING, NOTHING);
	LEARNS(GetResource(NOT_OURS), E_OS_ACCESS, GetResource, NOT_OURS, NOTHING, NOTHING);
	LEARNS(ReleaseResource(R), E_OS_NOFUNC, ReleaseResource, R, NOTHING, NOTHING);
	EXPECT(GetResource(R), E_OK);
	LEARNS(TerminateTask(), E_OS_RESOURCE, TerminateTask, NOTHING, NOTHING, NOTHING);
	LEARNS(Schedule(), E_OS_RESOURCE, Schedule, NOTHING, NOTHING, NOTHING);
	EXPECT(ReleaseResource(R), E_OK);
}

TASK(EXTENDED)
{
	EXPECT(WaitEvent(EV), E_OK);
}

TASK(SLEEPING)
{
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT(learned.errors, 0);
	of_tasks();
	of_events();
	of_alarms();
	of_expiries();
	if (PLF_EXTENDED_STATUS)
		of_extended_status();
	ShutdownOS(E_OK);
}
