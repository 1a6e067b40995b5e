/* SPDX-License-Identifier: MIT */
/*
 * An application with interrupts ends. Then none of its interrupts comes any more, also if it is
 * pending or waits for a section. They come again after the application has restarted. Handlers end
 * applications, too.
 */
#include "applications_isr.h"
#include "check.h"

uint32_t ends_work;
uint8_t how = RESTART;

/* The application is closed to interrupts until it opens, and earlier interrupts are lost. */
TASK(REVIVE)
{
	mark('r');
	raise_interrupts(ALL_OF_WORK);
	mark('a');
	EXPECT(AllowAccess(), E_OK);
	TerminateTask();
}

/* The task ends in its section, while STAYS waits for that. */
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

/* HOLDS preempts BELOW. */
TASK(BELOW)
{
	mark('b');
	(void)ActivateTask(HOLDS);
	mark('!');
	TerminateTask();
}

/* HOLDS never leaves its section, for which STAYS waits. */
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

/* LOCKS waits for the end of the section, and the other interrupts wait for the end of LOCKS. */
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

/* A handler that ends its own application does not return, and releases its resources. */
static void ends_by_itself(void)
{
	ends_work = LOCKS_DOES;
	raise_interrupts(LOCKS_COMES);
	EXPECT_TRAIL("lra");
	is_as_before();
}

/* A handler that ends another application returns, but the interrupted task does not resume. */
static void ends_by_others(void)
{
	ends_work = STAYS_DOES;
	ALLOWED(ActivateTask(WORKS));
	EXPECT_TRAIL("w)o+ra");
	is_as_before();
}

/* The routine that waits belongs to another application. */
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

/* A routine ends the application while no task runs. BELOW is preempted. */
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
