/* SPDX-License-Identifier: MIT */
/*
 * An application with interrupts ends: none of them comes any more, also not one that is pending,
 * or that waits for a section. They come again when the application has restarted. Handlers end
 * applications, too.
 */
#include "applications_isr.h"
#include "check.h"

uint32_t ends_work;
uint8_t how = RESTART;

/* Closed to what comes from outside until it opens, and what came before that is lost. */
TASK(REVIVE)
{
	mark('r');
	raise_interrupts(ALL_OF_WORK);
	mark('a');
	EXPECT(AllowAccess(), E_OK);
	TerminateTask();
}

/* It ends where STAYS waits for the section. */
TASK(WORKS)
{
	mark('w');
	ALLOWED(GetResource(R));
	raise_interrupts(STAYS_COMES);
	mark(')');
	(void)ReleaseResource(R);
	mark('!');
	TerminateTask();
}

/* Above HOLDS, which preempts it. */
TASK(BELOW)
{
	mark('b');
	(void)ActivateTask(HOLDS);
	mark('!');
	TerminateTask();
}

/* It does not leave its section, for which STAYS waits, before it ends. */
TASK(HOLDS)
{
	ALLOWED(GetResource(R));
	raise_interrupts(STAYS_COMES);
	mark('h');
}

static void is_as_before(void)
{
	EXPECT(test.errors, 0);
	REFUSED(TerminateApplication(WORK, 2), E_OS_VALUE, OSServiceId_TerminateApplication);
	raise_interrupts(ALL_OF_WORK | STAYS_COMES);
	EXPECT_TRAIL("nlco");
}

/* LOCKS waits for the section, and the others for its end. */
static void restarts(void)
{
	is_as_before();
	ALLOWED(GetResource(R));
	raise_interrupts(LOCKS_COMES);
	raise_interrupts(COMES_COMES | STAYS_COMES);
	EXPECT_TRAIL("");
	ALLOWED(TerminateApplication(WORK, RESTART));
	EXPECT_TRAIL("");
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("ora");
	is_as_before();
}

/* In its own application a handler does not go on, and leaves what it holds. */
static void ends_by_itself(void)
{
	ends_work = LOCKS_DOES;
	raise_interrupts(LOCKS_COMES);
	EXPECT_TRAIL("lra");
	is_as_before();
}

/* In another one's it does, and the task that it interrupted does not. */
static void ends_by_others(void)
{
	ends_work = STAYS_DOES;
	ALLOWED(ActivateTask(WORKS));
	EXPECT_TRAIL("w)o+ra");
	is_as_before();
}

/* What waits is another application's. */
static void others_routine_waits(void)
{
	ALLOWED(GetResource(R));
	raise_interrupts(STAYS_COMES);
	raise_interrupts(LOCKS_COMES);
	ALLOWED(TerminateApplication(WORK, RESTART));
	EXPECT_TRAIL("");
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("ora");
}

/* By a routine that comes when no task runs; BELOW is preempted. */
static void ends(void)
{
	ends_work = STAYS_DOES;
	how = NO_RESTART;
	EXPECT(ActivateTask(BELOW), E_OK);
	EXPECT_TRAIL("bho+");
	EXPECT(test.error, E_OS_MISSINGEND);
	test.errors = 0;
	raise_interrupts(ALL_OF_WORK | STAYS_COMES);
	EXPECT_TRAIL("o");
}

TASK(MAIN)
{
	restarts();
	ends_by_itself();
	ends_by_others();
	others_routine_waits();
	ends();
	ShutdownOS(E_OK);
}
