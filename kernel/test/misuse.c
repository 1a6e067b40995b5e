/* SPDX-License-Identifier: MIT */
/*
 * Standard status, with resources as system calls: a wrong release returns E_OS_NOFUNC. It makes
 * the caller neither more nor less urgent.
 */
#include "check.h"

TASK(FIRST)
{
	mark('1');
	EXPECT(ReleaseResource(INNER),
	       E_OS_NOFUNC); /* not entered: another task's level was saved there */
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
	EXPECT(ReleaseResource(OUTER), E_OK); /* wrong order: it releases both */
	EXPECT(ReleaseResource(INNER), E_OS_NOFUNC);
	EXPECT(ActivateTask(SECOND), E_OK);
	EXPECT_TRAIL("2");
	EXPECT(ActivateTask(FIRST), E_OK);
	EXPECT_TRAIL("1-2");
	ShutdownOS(E_OK);
}
