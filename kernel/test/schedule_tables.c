/* SPDX-License-Identifier: MIT */
/*
 * Schedule tables, tick by tick on a software counter, and on a counter of time: their points,
 * their begin and end, and each status (AUTOSAR OS 4.x, 7.3 and 8.4).
 */
#include "plf_clock.h"
#include "table_ticks.h"

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

TASK(F)
{
	for (;;) {
		ALLOWED(WaitEvent(EV));
		ALLOWED(ClearEvent(EV));
		mark('f');
	}
}

TASK(G)
{
	TerminateTask();
}

TASK(T)
{
	timed++;
	TerminateTask();
}

/* The counter is 0. The table repeats each 6 ticks, also when the counter wraps after 9. */
static void repeats(void)
{
	EXPECT(status_of(ROUND), SCHEDULETABLE_STOPPED);
	ALLOWED(StartScheduleTableRel(ROUND, 1));
	EXPECT(status_of(ROUND), SCHEDULETABLE_RUNNING);
	tick(3);
	REFUSED(StartScheduleTableRel(ROUND, 1), E_OS_STATE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableAbs(ROUND, 1), E_OS_STATE, OSServiceId_StartScheduleTableAbs);
	tick(11); /* the table continues */
	EXPECT_TRAIL(".a..feba....a..feba....a.");
	ALLOWED(StopScheduleTable(ROUND));
	EXPECT(status_of(ROUND), SCHEDULETABLE_STOPPED);
	tick(6);
	EXPECT_TRAIL("......");
}

/*
 * The counter is 0. The table is longer than the range of the counter, and runs to the end of its
 * duration.
 */
static void once(void)
{
	ALLOWED(StartScheduleTableAbs(ONCE, 1));
	tick(1);
	EXPECT_TRAIL("a.");
	tick(24);
	EXPECT_TRAIL("........b.........c.......");
	EXPECT(status_of(ONCE), SCHEDULETABLE_RUNNING);
	tick(1);
	EXPECT(status_of(ONCE), SCHEDULETABLE_STOPPED);
	tick(10);
	EXPECT_TRAIL("...........");
}

/* The counter is 6. The value 6 comes only after the counter has wrapped. */
static void absolute(void)
{
	ALLOWED(StartScheduleTableAbs(POINT, 6));
	EXPECT(status_of(POINT), SCHEDULETABLE_RUNNING);
	tick(10);
	EXPECT_TRAIL(".........b.");
	EXPECT(status_of(POINT), SCHEDULETABLE_STOPPED);
	ALLOWED(StartScheduleTableAbs(POINT, 0));
	tick(4);
	EXPECT_TRAIL("...b.");
}

/*
 * The counter is 0. The next table begins at the end of the table before, which is not at its last
 * point.
 */
static void next(void)
{
	ALLOWED(StartScheduleTableRel(ROUND, 2));
	ALLOWED(NextScheduleTable(ROUND, SHORT));
	EXPECT(status_of(SHORT), SCHEDULETABLE_NEXT);
	tick(8);
	EXPECT_TRAIL("..a..feba....");
	EXPECT(status_of(ROUND), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(SHORT), SCHEDULETABLE_RUNNING);
	ALLOWED(NextScheduleTable(SHORT, ROUND_TOO));
	tick(5);
	EXPECT_TRAIL(".cc..c..");
	EXPECT(status_of(SHORT), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(ROUND_TOO), SCHEDULETABLE_RUNNING);
	ALLOWED(NextScheduleTable(ROUND_TOO, ROUND)); /* the round that repeats ends, too */
	tick(2);
	EXPECT(status_of(ROUND_TOO), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(ROUND), SCHEDULETABLE_RUNNING);
	tick(6); /* it begins again, without the earlier next table */
	ALLOWED(StopScheduleTable(ROUND));
	tick(9);
	EXPECT_TRAIL(".a..feba....a..........");
}

/*
 * The counter is 0. A second next table replaces the first. A stop of either table leaves no next
 * table.
 */
static void replaced(void)
{
	ALLOWED(StartScheduleTableRel(SHORT, 1));
	ALLOWED(NextScheduleTable(SHORT, ROUND));
	ALLOWED(NextScheduleTable(SHORT, ROUND_TOO));
	EXPECT(status_of(ROUND), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(ROUND_TOO), SCHEDULETABLE_NEXT);
	ALLOWED(StopScheduleTable(ROUND_TOO));
	EXPECT(status_of(ROUND_TOO), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(SHORT), SCHEDULETABLE_RUNNING);
	tick(5);
	EXPECT_TRAIL("..c...");
	EXPECT(status_of(SHORT), SCHEDULETABLE_STOPPED);
	ALLOWED(StartScheduleTableRel(SHORT, 1));
	ALLOWED(NextScheduleTable(SHORT, ROUND));
	ALLOWED(StopScheduleTable(SHORT));
	EXPECT(status_of(SHORT), SCHEDULETABLE_STOPPED);
	EXPECT(status_of(ROUND), SCHEDULETABLE_STOPPED);
	REFUSED(StopScheduleTable(ROUND), E_OS_NOFUNC, OSServiceId_StopScheduleTable);
	ALLOWED(StartScheduleTableRel(SHORT, 1)); /* without the earlier next table */
	tick(5);
	EXPECT_TRAIL("..c...");
	EXPECT(status_of(ROUND), SCHEDULETABLE_STOPPED);
}

/*
 * The counter is 0. Alarms and tables that are due at the same tick come in the order in which they
 * were set.
 */
static void together(void)
{
	ALLOWED(SetRelAlarm(PEER, 1, 0));
	ALLOWED(StartScheduleTableRel(POINT, 1));
	tick(1);
	ALLOWED(StartScheduleTableRel(POINT, 1));
	ALLOWED(SetRelAlarm(PEER, 1, 0));
	tick(1);
	EXPECT_TRAIL("cb.bc.");
	ALLOWED(SetRelAlarm(PEER, 2, 0)); /* a table that stops does not stop the alarm */
	ALLOWED(StartScheduleTableRel(POINT, 2));
	ALLOWED(StopScheduleTable(POINT));
	tick(2);
	EXPECT_TRAIL(".c.");
}

/* ErrorHook gets the errors of a point in turn. */
static void fails(void)
{
	ALLOWED(StartScheduleTableRel(FOULS, 1));
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT(test.errors, PLF_EXTENDED_STATUS ? 2 : 1);
	EXPECT(test.error, PLF_EXTENDED_STATUS ? E_OS_STATE : E_OS_LIMIT);
	EXPECT(test.service, PLF_EXTENDED_STATUS ? OSServiceId_SetEvent : OSServiceId_ActivateTask);
	test.errors = 0;
	EXPECT(status_of(FOULS), SCHEDULETABLE_STOPPED);
}

static void refuse_starts(void)
{
	REFUSED(StartScheduleTableRel(PLF_SCHEDULE_TABLES, 1), E_OS_ID,
		OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableRel(INVALID_SCHEDULETABLE, 0), E_OS_ID,
		OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableRel(ROUND, 0), E_OS_VALUE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableRel(ROUND, 9), E_OS_VALUE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableRel(ONCE, 10), E_OS_VALUE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableAbs(PLF_SCHEDULE_TABLES, 1), E_OS_ID,
		OSServiceId_StartScheduleTableAbs);
	REFUSED(StartScheduleTableAbs(ROUND, 10), E_OS_VALUE, OSServiceId_StartScheduleTableAbs);
	ALLOWED(StartScheduleTableRel(ROUND, 8));
	REFUSED(StartScheduleTableRel(ROUND, 0), E_OS_VALUE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableRel(ROUND, 1), E_OS_STATE, OSServiceId_StartScheduleTableRel);
	REFUSED(StartScheduleTableAbs(ROUND, 10), E_OS_VALUE, OSServiceId_StartScheduleTableAbs);
	REFUSED(StartScheduleTableAbs(ROUND, 1), E_OS_STATE, OSServiceId_StartScheduleTableAbs);
	ALLOWED(StartScheduleTableAbs(ONCE, 9));
	ALLOWED(StopScheduleTable(ONCE));
	ALLOWED(StartScheduleTableRel(ONCE, 9));
	ALLOWED(StopScheduleTable(ONCE));
}

/* ROUND must run. */
static void refuse_nexts(void)
{
	REFUSED(NextScheduleTable(PLF_SCHEDULE_TABLES, SHORT), E_OS_ID,
		OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(ROUND, PLF_SCHEDULE_TABLES), E_OS_ID,
		OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(ROUND, OF_OTHER), E_OS_ID, OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(ROUND, EXACT), E_OS_ID, OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(ONCE, SHORT), E_OS_NOFUNC, OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(ONCE, ROUND), E_OS_NOFUNC, OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(ROUND, ROUND), E_OS_STATE, OSServiceId_NextScheduleTable);
	ALLOWED(NextScheduleTable(ROUND, SHORT));
	REFUSED(NextScheduleTable(ROUND, SHORT), E_OS_STATE, OSServiceId_NextScheduleTable);
	REFUSED(NextScheduleTable(SHORT, ONCE), E_OS_NOFUNC, OSServiceId_NextScheduleTable);
	REFUSED(StartScheduleTableRel(SHORT, 1), E_OS_STATE, OSServiceId_StartScheduleTableRel);
	EXPECT(status_of(SHORT), SCHEDULETABLE_NEXT);
}

static void refuse(void)
{
	ScheduleTableStatusType status = 0xaa;

	REFUSED(StopScheduleTable(PLF_SCHEDULE_TABLES), E_OS_ID, OSServiceId_StopScheduleTable);
	REFUSED(StopScheduleTable(ROUND), E_OS_NOFUNC, OSServiceId_StopScheduleTable);
	REFUSED(GetScheduleTableStatus(PLF_SCHEDULE_TABLES, &status), E_OS_ID,
		OSServiceId_GetScheduleTableStatus);
	if (PLF_EXTENDED_STATUS) {
		REFUSED(GetScheduleTableStatus(ROUND, NULL), E_OS_PARAM_POINTER,
			OSServiceId_GetScheduleTableStatus);
		SuspendAllInterrupts();
		EXPECT(StopScheduleTable(ROUND), E_OS_DISABLEDINT);
		ResumeAllInterrupts();
		test.errors = 0;
	}
	refuse_starts();
	refuse_nexts();
	ALLOWED(StopScheduleTable(ROUND));
	EXPECT(status_of(SHORT), SCHEDULETABLE_STOPPED);
	/* The internal alarm of a table is no alarm of the description. */
	REFUSED(CancelAlarm(PLF_ALARMS), E_OS_ID, OSServiceId_CancelAlarm);
	REFUSED(SetRelAlarm(PLF_ALARMS + ROUND, 1, 0), E_OS_ID, OSServiceId_SetRelAlarm);
}

/* Points at 2 ms, 3 ms, 6 ms and 7 ms from the start, also while no service is called. */
static void by_time(void)
{
	uint64_t began_ns = plf_user_now_ns();

	ALLOWED(StartScheduleTableRel(OF_TIME, 1));
	EXPECT(timed, 0);
	while (timed < 4)
		plf_spend(100000);
	CHECK(plf_user_now_ns() - began_ns >= 6000000);
	CHECK(plf_user_now_ns() - began_ns < 9000000);
	ALLOWED(StopScheduleTable(OF_TIME));
	timed = 0;
	plf_spend(9000000);
	EXPECT(timed, 0);
}

/* Interrupts are held back for longer than two rounds. Each point of that time is due then. */
static void late(void)
{
	uint64_t began_ns = plf_user_now_ns();

	ALLOWED(StartScheduleTableRel(OF_TIME, 1));
	SuspendAllInterrupts();
	while (plf_user_now_ns() - began_ns < 10500000)
		plf_spend(100000);
	EXPECT(timed, 0);
	ResumeAllInterrupts();
	plf_spend(1000);  /* on sim the timer comes while a task spends time */
	EXPECT(timed, 1); /* by 2, 3, 6, 7 and 10 ms, but T has a single activation */
	EXPECT(test.errors, 4);
	EXPECT(test.error, E_OS_LIMIT);
	test.errors = 0;
	while (plf_user_now_ns() - began_ns < 15500000)
		plf_spend(100000);
	EXPECT(timed, 4); /* by 11 ms, 14 ms and 15 ms, too */
	ALLOWED(StopScheduleTable(OF_TIME));
}

TASK(MAIN)
{
	refuse();
	repeats();
	once();
	absolute();
	next();
	replaced();
	together();
	fails();
	by_time();
	late();
	ShutdownOS(E_OK);
}
