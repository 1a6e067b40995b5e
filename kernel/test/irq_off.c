/* SPDX-License-Identifier: MIT */
/*
 * The protocol irq-off: a section, nested or not, keeps out every interrupt. The end of the
 * outermost section lets interrupts in.
 */
#include "check.h"
#include "plf_clock.h"

TASK(HIGH)
{
	ALLOWED(GetResource(INNER));
	mark('h');
	ALLOWED(ReleaseResource(INNER));
	TerminateTask();
}

TASK(MAIN)
{
	ALLOWED(SetRelAlarm(ALARM, 1000, 0));
	ALLOWED(GetResource(OUTER));
	plf_spend(2000);
	mark('1');
	ALLOWED(GetResource(INNER));
	mark('2');
	ALLOWED(ReleaseResource(INNER));
	mark('3');
	ALLOWED(ReleaseResource(OUTER));
	mark('4');
	ALLOWED(SetRelAlarm(ALARM, 1000, 0));
	plf_spend(2000);
	EXPECT_TRAIL("123h4h");
	ShutdownOS(E_OK);
}
