/* SPDX-License-Identifier: MIT */
/* Without ProtectionHook a fault ends the system, with its status as the exit code. */
#include "case.h"
#include "check.h"

TASK(MAIN)
{
	static uint8_t *volatile wild_pointer = (uint8_t *)16;

	if (TEST_CASE == 0)
		*wild_pointer = 0;
	else
		__asm__ volatile("msr daifset, #2");
	TerminateTask();
}
