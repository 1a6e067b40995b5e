/* SPDX-License-Identifier: MIT */
/*
 * An application with interrupts ends: none of them comes any more, also not one that is pending,
 * or that waits for a section. They come again when the application has restarted.
 */
#include "applications_isr.h"
#include "check.h"

/* Closed to what comes from outside until it opens, and what came before that is lost. */
TASK(REVIVE)
{
	mark('r');
	raise_interrupts(ALL_OF_WORK);
	mark('a');
	ALLOWED(AllowAccess());
	EXPECT_TRAIL("ora");
	raise_interrupts(ALL_OF_WORK);
	EXPECT_TRAIL("blc");
	TerminateTask();
}

/* LOCKS waits for the section, and the others for its end. */
static void restarts(void)
{
	raise_interrupts(ALL_OF_WORK | STAYS_COMES);
	EXPECT_TRAIL("blco");
	ALLOWED(GetResource(R));
	raise_interrupts(LOCKS_COMES);
	raise_interrupts(COMES_COMES | STAYS_COMES);
	EXPECT_TRAIL("");
	ALLOWED(TerminateApplication(WORK, RESTART));
	EXPECT_TRAIL("");
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("");
}

/* What waits is another application's. */
static void ends(void)
{
	ALLOWED(GetResource(R));
	raise_interrupts(STAYS_COMES);
	raise_interrupts(LOCKS_COMES);
	ALLOWED(TerminateApplication(WORK, NO_RESTART));
	EXPECT_TRAIL("");
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("o");
	raise_interrupts(ALL_OF_WORK | STAYS_COMES);
	EXPECT_TRAIL("o");
}

TASK(MAIN)
{
	restarts();
	ends();
	ShutdownOS(E_OK);
}
