/* SPDX-License-Identifier: MIT */
/*
 * The answers of ProtectionHook. Its answer may be to kill the task, which leaves nothing behind,
 * and begins again if it has another activation. Each other answer shuts the system down (AUTOSAR,
 * SWS_Os_00506).
 */
#include "check.h"

TASK(HIGH)
{
	EXPECT(GetResource(R), E_OK);
	mark('h');
	EXPECT(ReleaseResource(R), E_OK);
	TerminateTask();
}

/*
 * FOUL is in a section that keeps HIGH out, and holds interrupts back. The second time it behaves.
 */
TASK(FOUL)
{
	static uint8_t *volatile wild_pointer = (uint8_t *)16;
	static volatile bool again;

	mark(again ? '2' : '1');
	if (again)
		TerminateTask();
	again = true;
	EXPECT(GetResource(R), E_OK);
	EXPECT(ActivateTask(HIGH), E_OK);
	EXPECT(ActivateTask(FOUL), E_OK);
	SuspendAllInterrupts();
	DisableAllInterrupts();
	(void)ActivateTask(INVALID_TASK); /* ErrorHook raises it */
	mark('-');
	*wild_pointer = 0;
}

TASK(MAIN)
{
	EXPECT(ActivateTask(FOUL), E_OK);
	EXPECT_TRAIL(".1r-p>ih.2>");
	ShutdownOS(E_OK);
}
