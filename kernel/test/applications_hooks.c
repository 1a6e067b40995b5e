/* SPDX-License-Identifier: MIT */
/*
 * Hooks of applications. Each runs on the core of its application. It runs after the system's hook,
 * but before it at the end. An error hook runs for the application that caused the error. The hooks
 * mark the reason of their calls.
 */
#include "applications_hooks.h"
#include "several_cores.h"

uint32_t far_startups, far_shutdowns;
static uint32_t has_ended;

/* The application NONE has no hook. */
TASK(OTHER)
{
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	EXPECT_TRAIL("E");
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT_TRAIL("SEEast");
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	EXPECT_TRAIL("Ea");
	EXPECT(ActivateTask(OTHER), E_OK);
	raise_interrupts(1 << 5); /* raised in ErrorHook */
	EXPECT_TRAIL("RaiEb");
	EXPECT(SetRelAlarm(FAILS, 1, 0), E_OK);
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT_TRAIL("Eb"); /* the error belongs to the alarm, not to MAIN */
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	EXPECT_TRAIL("Ea");
	AWAIT(look(&has_ended));
	EXPECT(far_startups, 1);
	EXPECT(ActivateTask(ENDS), E_OK);
}

TASK(ENDS)
{
	ShutdownOS(E_OK);
}

TASK(LAST)
{
	show(&has_ended, true);
	ShutdownOS(E_OK);
}
