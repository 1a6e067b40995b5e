/* SPDX-License-Identifier: MIT */
/*
 * TerminateApplication, GetApplicationState and AllowAccess: AUTOSAR OS 4.x, Section 8.4. WORK ends
 * while a task of it is preempted in a section, a task waits, and a task is ready to begin.
 */
#include "applications_end.h"

uint32_t left_as_it_was;
static uint32_t restarts_now; /* action of LOW */

static void has_state(ApplicationType application, ApplicationStateType expected)
{
	ApplicationStateType state = 99;

	ALLOWED(GetApplicationState(application, &state));
	EXPECT(state, expected);
}

static void is_suspended(TaskType task)
{
	TaskStateType state;

	ALLOWED(GetTaskState(task, &state));
	EXPECT(state, SUSPENDED);
}

/* A task of BOSS, above all other tasks. While WORK restarts, WORK is closed to it. */
TASK(TAKER)
{
	mark('t');
	ALLOWED(GetResource(R));
	ALLOWED(ReleaseResource(R));
	REFUSED(ActivateTask(LOW), E_OS_ACCESS, OSServiceId_ActivateTask);
	REFUSED(SetEvent(HIGH, EV), E_OS_ACCESS, OSServiceId_SetEvent);
	REFUSED(TerminateApplication(WORK, NO_RESTART), E_OS_STATE,
		OSServiceId_TerminateApplication);
	TerminateTask();
}

/* The objects of WORK are as at the start, and WORK's own alarms reach it already. */
TASK(REVIVE)
{
	ScheduleTableStatusType status;
	TickType ticks;

	mark('r');
	has_state(WORK, APPLICATION_RESTARTING);
	is_suspended(HIGH);
	is_suspended(HELD);
	is_suspended(LOW);
	REFUSED(GetAlarm(WORKS, &ticks), E_OS_NOFUNC, OSServiceId_GetAlarm);
	ALLOWED(GetScheduleTableStatus(ROUND, &status));
	EXPECT(status, SCHEDULETABLE_STOPPED);
	ALLOWED(GetScheduleTableStatus(ROUND_TOO, &status));
	EXPECT(status, SCHEDULETABLE_STOPPED);
	REFUSED(TerminateApplication(WORK, RESTART), E_OS_STATE, OSServiceId_TerminateApplication);
	ALLOWED(ActivateTask(TAKER));
	ALLOWED(SetRelAlarm(WORKS, 1, 0));
	ALLOWED(IncrementCounter(SOFT));
	ALLOWED(AllowAccess());
	has_state(WORK, APPLICATION_ACCESSIBLE);
	REFUSED(AllowAccess(), E_OS_STATE, OSServiceId_AllowAccess);
	TerminateTask();
}

/* A task of PLAIN, which ends itself in a section while an activation is pending. */
TASK(SELF)
{
	mark('s');
	REFUSED(TerminateApplication(WORK, NO_RESTART), E_OS_ACCESS,
		OSServiceId_TerminateApplication);
	ALLOWED(ActivateTask(SELF));
	ALLOWED(GetResource(R));
	(void)TerminateApplication(PLAIN, NO_RESTART);
	mark('!');
}

/*
 * A task of TWICE. It restarts its application, and ends it for good before it is accessible again.
 */
TASK(ANEW)
{
	ApplicationStateType state = 99;

	mark('a');
	ALLOWED(GetApplicationState(TWICE, &state));
	if (state == APPLICATION_RESTARTING)
		REFUSED(TerminateApplication(TWICE, RESTART), E_OS_STATE,
			OSServiceId_TerminateApplication);
	(void)TerminateApplication(TWICE, state == APPLICATION_ACCESSIBLE ? RESTART : NO_RESTART);
	mark('!');
}

TASK(HIGH)
{
	EventMaskType events;

	mark('h');
	ALLOWED(GetEvent(HIGH, &events));
	EXPECT(events, 0);
	(void)WaitEvent(EV);
	mark('H');
	TerminateTask();
}

/*
 * MAIN preempts HELD in its section, while it holds interrupts back. Each activation must begin
 * with interrupts let through.
 */
TASK(HELD)
{
	mark('/');
	raise_interrupts(1 << 4);
	mark('(');
	ALLOWED(GetResource(W));
	if (!PLF_EXTENDED_STATUS)
		SuspendAllInterrupts();
	(void)SetEvent(MAIN, GO);
	mark(')');
	if (!PLF_EXTENDED_STATUS)
		ResumeAllInterrupts();
	ALLOWED(ReleaseResource(W));
	TerminateTask();
}

TASK(LOW)
{
	mark('l');
	if (restarts_now) {
		restarts_now = false;
		(void)TerminateApplication(WORK, RESTART);
		mark('!');
	}
	TerminateTask();
}

/* A task at the level of LOW, which keeps its place. */
TASK(OTHER)
{
	mark('o');
	ALLOWED(GetResource(W));
	ALLOWED(ReleaseResource(W));
	TerminateTask();
}

TASK(LAST)
{
	(void)SetEvent(MAIN, GO);
	TerminateTask();
}

static void wait_for_all(void)
{
	ALLOWED(ActivateTask(LAST));
	ALLOWED(WaitEvent(GO));
	ALLOWED(ClearEvent(GO));
}

static void has_errors(void)
{
	ApplicationStateType state;

	REFUSED(TerminateApplication(INVALID_OSAPPLICATION, 9), E_OS_ID,
		OSServiceId_TerminateApplication);
	REFUSED(TerminateApplication(PLF_APPLICATIONS, 9), E_OS_ID,
		OSServiceId_TerminateApplication);
	REFUSED(TerminateApplication(WORK, 2), E_OS_VALUE, OSServiceId_TerminateApplication);
	REFUSED(TerminateApplication(PLAIN, RESTART), E_OS_VALUE, OSServiceId_TerminateApplication);
	REFUSED(AllowAccess(), E_OS_STATE, OSServiceId_AllowAccess);
	REFUSED(GetApplicationState(PLF_APPLICATIONS, &state), E_OS_ID,
		OSServiceId_GetApplicationState);
	if (PLF_EXTENDED_STATUS)
		REFUSED(GetApplicationState(WORK, NULL), E_OS_PARAM_POINTER,
			OSServiceId_GetApplicationState);
	has_state(WORK, APPLICATION_ACCESSIBLE);
}

/* Give WORK a task in each state, two alarms that are set, and two tables that run. */
static void make_busy(void)
{
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(ActivateTask(HELD));
	ALLOWED(WaitEvent(GO));
	ALLOWED(ClearEvent(GO));
	EXPECT_TRAIL("h/i(");
	ALLOWED(ActivateTask(LOW));
	ALLOWED(ActivateTask(OTHER));
	ALLOWED(ActivateTask(LOW));
	ALLOWED(ActivateTask(LOW));
	ALLOWED(SetRelAlarm(WORKS, 1, 1));
	ALLOWED(SetRelAlarm(WAKES, 1, 1));
	ALLOWED(StartScheduleTableRel(ROUND, 1));
	ALLOWED(StartScheduleTableRel(ROUND_TOO, 1));
	ALLOWED(SetEvent(HIGH, SPARE)); /* HIGH does not wait for this event */
}

static void restarts(void)
{
	make_busy();
	ALLOWED(TerminateApplication(WORK, RESTART));
	EXPECT_TRAIL("rt");
	wait_for_all();
	EXPECT_TRAIL("ol"); /* REVIVE's alarm activates LOW, not before */
	ALLOWED(IncrementCounter(SOFT));
	wait_for_all();
	EXPECT_TRAIL("");
}

/* All objects of WORK can begin again: HIGH waits anew, and HELD leaves its section. */
static void goes_on_as_before(void)
{
	make_busy();
	REFUSED(TerminateApplication(WORK, 2), E_OS_VALUE, OSServiceId_TerminateApplication);
	ALLOWED(SetEvent(HIGH, EV));
	wait_for_all();
	EXPECT_TRAIL(")Hloll");
	ALLOWED(CancelAlarm(WORKS));
	ALLOWED(CancelAlarm(WAKES));
	ALLOWED(StopScheduleTable(ROUND));
	ALLOWED(StopScheduleTable(ROUND_TOO));
}

static void restarts_itself(void)
{
	restarts_now = true;
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(ActivateTask(LOW));
	ALLOWED(ActivateTask(LOW));
	wait_for_all();
	EXPECT_TRAIL("hlrtl");
	EXPECT(left_as_it_was, 1);
}

static void ends_itself(void)
{
	ALLOWED(ActivateTask(SELF));
	EXPECT_TRAIL("s");
	has_state(PLAIN, APPLICATION_TERMINATED);
	REFUSED(ActivateTask(SELF), E_OS_ACCESS, OSServiceId_ActivateTask);
}

static void ends_while_it_restarts(void)
{
	ALLOWED(ActivateTask(ANEW));
	EXPECT_TRAIL("aa");
	has_state(TWICE, APPLICATION_TERMINATED);
}

static void ends(void)
{
	TickType ticks;

	make_busy();
	ALLOWED(SetEvent(HIGH, EV)); /* woken, but not running again */
	ALLOWED(TerminateApplication(WORK, NO_RESTART));
	EXPECT_TRAIL("");
	has_state(WORK, APPLICATION_TERMINATED);
	REFUSED(TerminateApplication(WORK, NO_RESTART), E_OS_STATE,
		OSServiceId_TerminateApplication);
	REFUSED(TerminateApplication(WORK, RESTART), E_OS_STATE, OSServiceId_TerminateApplication);
	REFUSED(GetAlarm(WORKS, &ticks), E_OS_ACCESS, OSServiceId_GetAlarm);
	REFUSED(StopScheduleTable(ROUND), E_OS_ACCESS, OSServiceId_StopScheduleTable);
	EXPECT(CheckObjectAccess(BOSS, OBJECT_TASK, LOW), ACCESS); /* as described */
	ALLOWED(ActivateTask(TAKER));
	EXPECT_TRAIL("t");
	wait_for_all();
	EXPECT_TRAIL("o");
}

static void refused_signal(OSServiceIdType service)
{
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT(test.errors, 1);
	EXPECT(test.error, E_OS_ACCESS);
	EXPECT(test.service, service);
	test.errors = 0;
}

/* Actions of alarms and tables of other applications on WORK are refused, as services are. */
static void gets_no_signals(void)
{
	ALLOWED(SetRelAlarm(BOSSES, 1, 0));
	refused_signal(OSServiceId_ActivateTask);
	ALLOWED(SetRelAlarm(SIGNALS, 1, 0));
	refused_signal(OSServiceId_SetEvent);
	ALLOWED(StartScheduleTableRel(AROUND, 1));
	ALLOWED(IncrementCounter(SOFT));
	refused_signal(OSServiceId_ActivateTask);
}

TASK(MAIN)
{
	has_errors();
	restarts();
	goes_on_as_before();
	restarts_itself();
	ends_itself();
	ends_while_it_restarts();
	ends();
	gets_no_signals();
	ShutdownOS(E_OK);
}
