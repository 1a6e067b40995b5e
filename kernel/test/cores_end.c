/* SPDX-License-Identifier: MIT */
/*
 * ShutdownOS ends its core. The last core ends the system, with the first status that is an error.
 * ShutdownAllCores ends all cores, as does a fault that ProtectionHook does not forgive.
 */
#include "cores_end.h"
#include "case.h"
#include "several_cores.h"

uint32_t has_ended[3];
static volatile uint32_t where = 8; /* an address without memory */

TASK(FIRST)
{
	if (TEST_CASE == ALL_AT_ONCE || TEST_CASE == BY_FAULT)
		for (;;)
			plf_relax();
	AWAIT(look(&has_ended[1]));
	AWAIT(look(&has_ended[2]));
	plf_spend(1000);
	ShutdownOS(TEST_CASE == EACH ? 24 : E_OK);
}

/* The other cores continue without it. */
TASK(SECOND)
{
	if (TEST_CASE == EACH)
		ShutdownOS(E_OK);
	if (TEST_CASE == WITH_ERROR)
		ShutdownOS(21);
	if (TEST_CASE == ALL_AT_ONCE)
		ShutdownAllCores(22);
	*(volatile uint32_t *)(uintptr_t)where = 0;
	for (;;)
		plf_relax();
}

TASK(THIRD)
{
	if (TEST_CASE == ALL_AT_ONCE || TEST_CASE == BY_FAULT)
		for (;;)
			plf_relax();
	AWAIT(look(&has_ended[1]));
	ShutdownOS(TEST_CASE == WITH_ERROR ? 23 : E_OK);
}
