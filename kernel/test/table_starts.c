/* SPDX-License-Identifier: MIT */
/*
 * Schedule tables that start with the kernel, by mode. The places that may call their services, and
 * the reports to ErrorHook (AUTOSAR OS 4.x, 7.3.3 and 12.2 of OSEK 2.2.3).
 */
#include "table_starts.h"
#include "plf_clock.h"
#include "table_ticks.h"

StatusType table_answers[TABLE_PLACES][SERVICES_OF_TABLES];
uint32_t asked_in[TABLE_PLACES];
uint64_t parameters_of_error[FIRST_PARAMETERS];
StatusType status_of_error;
uint32_t error_shall_ask, error_shall_raise;

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

TASK(T)
{
	timed++;
	TerminateTask();
}

static void autostarted(void)
{
	EXPECT(GetActiveApplicationMode(), RUN);
	EXPECT(status_of(IN_SOME), SCHEDULETABLE_RUNNING);
	EXPECT(status_of(AT_VALUE), SCHEDULETABLE_RUNNING);
	EXPECT(status_of(OF_FIX), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(FREE), SCHEDULETABLE_STOPPED);
	tick(12);
	EXPECT_TRAIL("..a........b.."); /* the counter starts at 0, so 0 comes after 9 */
	while (timed < 3)		/* at 1 ms, 3 ms and 5 ms */
		plf_spend(100000);
	CHECK(plf_user_now_ns() >= 5000000 && plf_user_now_ns() < 7000000);
}

static void expect_in(enum table_place place, StatusType expected)
{
	EXPECT(asked_in[place], 1);
	for (unsigned service = 0; service < SERVICES_OF_TABLES; service++)
		EXPECT(table_answers[place][service], expected);
}

/* Only tasks and handlers may call them. */
static void places(void)
{
	expect_in(OF_STARTUP, E_OS_CALLEVEL);
	EXPECT(SetRelAlarm(CALLS, 1, 0), E_OK);
	EXPECT(IncrementCounter(SOFT), E_OK);
	expect_in(OF_CALLBACK, E_OS_CALLEVEL);
	error_shall_ask = 1;
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	expect_in(OF_ERROR, E_OS_CALLEVEL);
	error_shall_raise = 1;
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	expect_in(OF_HANDLER, E_OK);
}

static void expect_error(StatusType found, StatusType expected, uint64_t first, uint64_t second)
{
	EXPECT(found, expected);
	EXPECT(status_of_error, expected);
	EXPECT(parameters_of_error[0], first);
	EXPECT(parameters_of_error[1], second);
}

static void errors(void)
{
	ScheduleTableStatusType status;

	expect_error(StartScheduleTableRel(77, 5), E_OS_ID, 77, 5);
	expect_error(StartScheduleTableRel(FREE, 12), E_OS_VALUE, FREE, 12);
	expect_error(StartScheduleTableAbs(FREE, 13), E_OS_VALUE, FREE, 13);
	expect_error(StopScheduleTable(FREE), E_OS_NOFUNC, FREE, 0);
	expect_error(NextScheduleTable(FREE, OF_FIX), E_OS_NOFUNC, FREE, OF_FIX);
	expect_error(StartScheduleTableSynchron(FREE), E_OS_ID, FREE, 0);
	expect_error(SyncScheduleTable(FOLLOWS, 6), E_OS_VALUE, FOLLOWS, 6);
	expect_error(SetScheduletableAsync(FOLLOWS), E_OS_STATE, FOLLOWS, 0);
	expect_error(GetScheduleTableStatus(78, &status), E_OS_ID, 78, (uintptr_t)&status);
}

TASK(MAIN)
{
	autostarted();
	places();
	errors();
	ShutdownOS(E_OK);
}
