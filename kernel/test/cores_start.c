/* SPDX-License-Identifier: MIT */
/* main(), StartCore and StartOS: all cores that were started begin together, and end the system. */
#include "cores_start.h"
#include "case.h"
#include "several_cores.h"

struct starts starts[3];
static uint32_t has_begun, second_has_ended;

enum { CORES = TEST_CASE == STARTS_IN_TURN ? 3 : 2 };

/* No task begins before StartupHook has ended on every core. */
static void check_start(void)
{
	EXPECT(starts[0].hooks, 1);
	EXPECT(starts[2].hooks, 1);
	EXPECT(starts[1].hooks, CORES - 2);
	EXPECT(GetNumberOfActivatedCores(), CORES);
}

TASK(THIRD)
{
	EXPECT(GetCoreID(), 2);
	check_start();
	show(&has_begun, true);
	ShutdownOS(E_OK);
}

/* It has a core in one case. */
TASK(SECOND)
{
	EXPECT(TEST_CASE, STARTS_IN_TURN);
	EXPECT(GetCoreID(), 1);
	check_start();
	show(&second_has_ended, true);
	ShutdownOS(E_OK);
}

TASK(LATER)
{
	EXPECT(GetCoreID(), 2); /* it has no core, or that has ended */
}

/* What is activated there has its room, and harms no core that runs. */
static void use_core_that_does_not_run(void)
{
	EXPECT(ActivateTask(LATER), E_OK);
	EXPECT(ActivateTask(LATER), E_OK);
	EXPECT(ActivateTask(LATER), E_OS_LIMIT);
	EXPECT(state_of(LATER), READY);
}

TASK(FIRST)
{
	check_start();
	AWAIT(look(&has_begun));
	if (TEST_CASE == STARTS_IN_TURN)
		AWAIT(look(&second_has_ended));
	else
		EXPECT(state_of(SECOND), SUSPENDED);
	use_core_that_does_not_run();
	ShutdownOS(E_OK); /* the system ends with the last core that was started */
}
