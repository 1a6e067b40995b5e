/* SPDX-License-Identifier: MIT */
/*
 * A routine of an interrupt ends while it holds interrupts back. The kernel lets them through, and
 * calls ErrorHook once (AUTOSAR, SWS_Os_00368). In extended status it refuses all other services
 * meanwhile (SWS_Os_00093).
 */
#include "check.h"

enum { OF_LEAVES = 1 << 5 };

char steps[16]; /* steps of the routine: isr_end_trusted.c */

static void interrupt(const char *text)
{
	uint32_t i = 0;

	do {
		steps[i] = text[i];
	} while (text[i++]);
	raise_interrupts(OF_LEAVES);
	mark('.');
}

/* The routine must end with interrupts let through. */
static void expect_no_error(const char *text)
{
	interrupt(text);
	EXPECT(test.errors, 0);
}

static void expect_error(const char *text, OSServiceIdType missing)
{
	interrupt(text);
	test_refused(E_OS_DISABLEDINT, E_OS_DISABLEDINT, missing, __FILE__, __LINE__);
}

static void paired(void)
{
	expect_no_error("");
	expect_no_error("dD");
	expect_no_error("aA");
	expect_no_error("oO");
	expect_no_error("aoodDOOA");
	expect_no_error("DAO"); /* an end without a begin does nothing */
	expect_no_error("OOdD");
	expect_no_error("ddD"); /* these do not nest */
	EXPECT_TRAIL("i.i.i.i.i.i.i.i.");
}

/*
 * If several ends are missing, ErrorHook gets the first in this order. The next routine begins
 * anew.
 */
static void left_open(void)
{
	expect_error("d", OSServiceId_EnableAllInterrupts);
	expect_no_error("");
	expect_error("a", OSServiceId_ResumeAllInterrupts);
	expect_error("aaA", OSServiceId_ResumeAllInterrupts);
	expect_error("o", OSServiceId_ResumeOSInterrupts);
	expect_error("ooooOOO", OSServiceId_ResumeOSInterrupts);
	expect_error("oda", OSServiceId_EnableAllInterrupts);
	expect_error("oa", OSServiceId_ResumeAllInterrupts);
	expect_error("oaA", OSServiceId_ResumeOSInterrupts);
	expect_no_error("oO");
	EXPECT_TRAIL("i.i.i.i.i.i.i.i.i.i.");
}

/* A routine does not hold interrupts back for the task, nor a task for the routine. */
static void apart_from_the_task(void)
{
	SuspendOSInterrupts();
	ResumeOSInterrupts();
	expect_error("o", OSServiceId_ResumeOSInterrupts);
	ALLOWED(ActivateTask(OTHER));
	expect_error("a", OSServiceId_ResumeAllInterrupts);
	expect_no_error("");
	EXPECT_TRAIL("i.i.i.");
}

/* Other services in between: s calls a service, and c lets the callback of an alarm run. */
static void services(void)
{
	expect_no_error("s");
	expect_no_error("dDs");
	expect_no_error("oaAOs");
	expect_error("ds", OSServiceId_EnableAllInterrupts);
	expect_error("os", OSServiceId_ResumeOSInterrupts);
	expect_error("asAas", OSServiceId_ResumeAllInterrupts);
	EXPECT_TRAIL(PLF_EXTENDED_STATUS ? "is.is.is.iz.iz.izz." : "is.is.is.is.is.iss.");
	expect_no_error("c"); /* a callback's masks do not belong to the routine */
	EXPECT_TRAIL("ic.");
}

TASK(OTHER)
{
	TerminateTask();
}

TASK(MAIN)
{
	paired();
	left_open();
	apart_from_the_task();
	services();
	ShutdownOS(E_OK);
}
