/* SPDX-License-Identifier: MIT */
/*
 * The routine of an interrupt that ends while it holds interrupts back: the kernel puts that right,
 * and calls ErrorHook once (AUTOSAR, SWS_Os_00368). In extended status it serves nothing else
 * meanwhile (SWS_Os_00093).
 */
#include "check.h"

enum { OF_LEAVES = 1 << 5 };

char steps[16]; /* of the routine: see isr_end_trusted.c */

static void interrupt(const char *text)
{
	uint32_t i = 0;

	do {
		steps[i] = text[i];
	} while (text[i++]);
	raise_interrupts(OF_LEAVES);
	mark('.');
}

/* The routine ends with nothing held. */
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
	expect_no_error("DAO"); /* an end without a beginning is nothing */
	expect_no_error("OOdD");
	expect_no_error("ddD"); /* these do not nest */
	EXPECT_TRAIL("i.i.i.i.i.i.i.i.");
}

/* Of several that are missing ErrorHook gets the first in this order. The next time is as new. */
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

/* What the routine left is not the task's, nor the other way round. */
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

/* Other services between: s asks for a service, and c lets the callback of an alarm run. */
static void services(void)
{
	expect_no_error("s");
	expect_no_error("dDs");
	expect_no_error("oaAOs");
	expect_error("ds", OSServiceId_EnableAllInterrupts);
	expect_error("os", OSServiceId_ResumeOSInterrupts);
	expect_error("asAas", OSServiceId_ResumeAllInterrupts);
	EXPECT_TRAIL(PLF_EXTENDED_STATUS ? "is.is.is.iz.iz.izz." : "is.is.is.is.is.iss.");
	expect_no_error("c"); /* what a callback holds is not the routine's */
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
