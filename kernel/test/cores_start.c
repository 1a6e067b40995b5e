/* SPDX-License-Identifier: MIT */
/* main(), StartCore and StartOS: all started cores begin together, and end the system. */
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

/* SECOND has a core in a single case only. */
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
	EXPECT(GetCoreID(), 2); /* its core was not started, or has ended */
}

/* An activation on a core that does not run takes room, and harms no core that runs. */
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
	ShutdownOS(E_OK); /* the last started core ends the system */
}
