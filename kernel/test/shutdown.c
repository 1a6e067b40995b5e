/* SPDX-License-Identifier: MIT */
/* ShutdownOS, from all places that may call it. Its status is the exit code (OSEK 2.2.3, 13.7). */
#include "shutdown.h"
#include "case.h"
#include "check.h"

TASK(MAIN)
{
	if (TEST_CASE == IN_TASK)
		ShutdownOS(E_OK);
	if (TEST_CASE == IN_ERROR || TEST_CASE == IN_ISR)
		raise_interrupts(1);
	ShutdownOS(1);
}
