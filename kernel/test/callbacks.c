/* SPDX-License-Identifier: MIT */
/*
 * Callbacks of alarms: the time at which they run, and the services that they may call (OSEK 2.2.3,
 * 9.2 and Figure 12-1).
 */
#include "callbacks.h"
#include "check.h"
#include "plf_clock.h"

StatusType answers[MOST_ANSWERS];
uint32_t answered, void_errors, timed;

TASK(URGENT)
{
	mark('u');
	TerminateTask();
}

TASK(WAITER)
{
	TerminateTask();
}

/* Callbacks run within the service. Alarms of a tick expire in the order in which they were set. */
static void called(void)
{
	ALLOWED(SetRelAlarm(MARKS, 1, 2));
	ALLOWED(SetRelAlarm(ACTIVATES, 1, 0));
	ALLOWED(SetRelAlarm(MARKS_TOO, 1, 0));
	ALLOWED(IncrementCounter(SOFT));
	mark('.');
	EXPECT_TRAIL("mmu.");
	ALLOWED(IncrementCounter(SOFT));
	mark('.');
	ALLOWED(IncrementCounter(SOFT));
	EXPECT_TRAIL(".m");
	ALLOWED(CancelAlarm(MARKS));
	ALLOWED(SetRelAlarm(RAISES, 1, 0));
	ALLOWED(IncrementCounter(SOFT));
	EXPECT_TRAIL("()i");
}

/* Afterwards the task that ticks may call all services. */
static void refused(void)
{
	TaskType task = INVALID_TASK;

	ALLOWED(SetRelAlarm(CALLS, 1, 0));
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT(answered, 18);
	for (uint32_t i = 0; i < answered; i++)
		EXPECT(answers[i], E_OS_CALLEVEL);
	EXPECT(void_errors, 6);
	EXPECT(test.errors, answered + void_errors);
	EXPECT(test.service, OSServiceId_ShutdownOS);
	test.errors = 0;
	ALLOWED(GetTaskID(&task));
	EXPECT(task, MAIN);
	ALLOWED(ActivateTask(URGENT));
	EXPECT_TRAIL("u");
}

/* After a callback within its service, a task can hold interrupts back as before. */
static void held_back(void)
{
	SuspendAllInterrupts();
	plf_spend(10000000);
	EXPECT(timed, 0);
	ResumeAllInterrupts();
	CHECK(timed >= 5);
}

/* A callback runs while a task runs. */
static void interrupted(void)
{
	uint32_t before = timed;

	while (timed < before + 3)
		plf_spend(1000000);
	CHECK(plf_user_now_ns() >= 15000000);
	ALLOWED(GetResource(R));
	ALLOWED(ReleaseResource(R));
}

TASK(MAIN)
{
	called();
	refused();
	held_back();
	interrupted();
	ShutdownOS(E_OK);
}
