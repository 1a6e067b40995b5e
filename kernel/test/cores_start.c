/* SPDX-License-Identifier: MIT */
/* main(), StartCore and StartOS: all cores that were started begin together, and end the system. */
#include "cores_start.h"
#include "several_cores.h"

struct starts starts[3];
static uint32_t has_begun;

/* No task begins before StartupHook has ended on every core. */
static void check_start(void)
{
	EXPECT(starts[0].hooks, 1);
	EXPECT(starts[2].hooks, 1);
	EXPECT(starts[1].mains, 0);
	EXPECT(GetNumberOfActivatedCores(), 2);
}

TASK(THIRD)
{
	EXPECT(GetCoreID(), 2);
	check_start();
	show(&has_begun, true);
	ShutdownOS(E_OK);
}

TASK(ABSENT)
{
	EXPECT(GetCoreID(), 2); /* it has no core */
}

TASK(FIRST)
{
	check_start();
	AWAIT(look(&has_begun));
	EXPECT(state_of(ABSENT), SUSPENDED);
	ShutdownOS(E_OK); /* the system ends with the last core that was started */
}
