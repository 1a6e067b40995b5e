/* SPDX-License-Identifier: MIT */
/*
 * ProtectionHook returns PRO_TERMINATEAPPL_RESTART or PRO_TERMINATEAPPL: this ends the application
 * of the task that did something forbidden. If the application has no restart task, or restarts
 * already, the system ends instead.
 */
#include "case.h"
#include "check.h"

enum { RESTARTED, ENDED, WITHOUT_RESTART, TWICE };

static void do_harm(void)
{
	static uint8_t *volatile wild_pointer = (uint8_t *)16;

	*wild_pointer = 0;
}

TASK(REVIVE)
{
	ApplicationStateType state;

	mark('r');
	ALLOWED(GetApplicationState(WORK, &state));
	EXPECT(state, APPLICATION_RESTARTING);
	if (TEST_CASE == TWICE)
		do_harm();
	ALLOWED(AllowAccess());
	TerminateTask();
}

/* The task is in a section, and has a pending activation. */
TASK(FOUL)
{
	mark('f');
	ALLOWED(ActivateTask(FOUL));
	ALLOWED(GetResource(R));
	do_harm();
	mark('!');
}

TASK(PLAINS)
{
	do_harm();
}

TASK(WAITS)
{
	mark('w');
	(void)WaitEvent(EV);
	mark('!');
	TerminateTask();
}

static void goes_on(ApplicationStateType expected)
{
	ApplicationStateType state;

	ALLOWED(GetApplicationState(WORK, &state));
	EXPECT(state, expected);
	if (expected == APPLICATION_ACCESSIBLE) {
		ALLOWED(ActivateTask(WAITS));
		EXPECT_TRAIL("w");
	} else {
		REFUSED(ActivateTask(WAITS), E_OS_ACCESS, OSServiceId_ActivateTask);
	}
}

TASK(MAIN)
{
	ALLOWED(ActivateTask(WAITS));
	EXPECT_TRAIL("w");
	ALLOWED(ActivateTask(TEST_CASE == WITHOUT_RESTART ? PLAINS : FOUL));
	EXPECT_TRAIL(TEST_CASE == ENDED ? "fp" : "fpr");
	goes_on(TEST_CASE == ENDED ? APPLICATION_TERMINATED : APPLICATION_ACCESSIBLE);
	ShutdownOS(E_OK);
}
