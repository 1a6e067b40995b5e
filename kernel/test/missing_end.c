/* SPDX-License-Identifier: MIT */
/*
 * A task that returns without TerminateTask() ends all the same (AUTOSAR, SWS_Os_00052 and 00239).
 * ErrorHook is called. Its resource is free, interrupts come again, and its next activation begins
 * anew.
 */
#include "check.h"

TASK(HIGH)
{
	EXPECT(GetResource(R), E_OK);
	mark('h');
	EXPECT(ReleaseResource(R), E_OK);
	TerminateTask();
}

static void leave(void)
{
	static unsigned runs;

	ALLOWED(GetResource(R));
	ALLOWED(ActivateTask(HIGH)); /* R keeps HIGH out */
	mark((char)('1' + runs++));
	DisableAllInterrupts();
	raise_interrupts(1 << 5);
}

TASK(LEAVER)
{
	leave();
}

TASK(MAIN)
{
	EXPECT(ActivateTask(LEAVER), E_OK);
	EXPECT(test.errors, 1);
	EXPECT(test.error, E_OS_MISSINGEND);
	EXPECT_TRAIL(".1>ih.");
	test.errors = 0;
	EXPECT(ActivateTask(LEAVER), E_OK);
	EXPECT_TRAIL(".2>ih.");
	ShutdownOS(E_OK);
}
