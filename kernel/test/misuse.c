/* SPDX-License-Identifier: MIT */
/*
 * Standard status, resources as system calls: a release that is none gives E_OS_NOFUNC, and makes
 * the caller neither more urgent nor less than it is.
 */
#include "check.h"

TASK(FIRST)
{
	mark('1');
	EXPECT(ReleaseResource(INNER),
	       E_OS_NOFUNC); /* not entered: another task's was saved there */
	EXPECT(ReleaseResource(OUTER), E_OS_NOFUNC);
	EXPECT(ActivateTask(SECOND), E_OK);
	mark('-');
	TerminateTask();
}

TASK(SECOND)
{
	mark('2');
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT(GetResource(OUTER), E_OK);
	EXPECT(GetResource(INNER), E_OK);
	EXPECT(ReleaseResource(OUTER), E_OK); /* not the last one: it lets go of both */
	EXPECT(ReleaseResource(INNER), E_OS_NOFUNC);
	EXPECT(ActivateTask(SECOND), E_OK);
	EXPECT_TRAIL("2");
	EXPECT(ActivateTask(FIRST), E_OK);
	EXPECT_TRAIL("1-2");
	ShutdownOS(E_OK);
}
