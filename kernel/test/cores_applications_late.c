/* SPDX-License-Identifier: MIT */
/*
 * An application ends while another core is in the middle of an activation of one of its tasks: the
 * activation has its room, and is not sent before the application is closed. ChainTask() calls
 * PostTaskHook between these two.
 */
#include "cores_applications_late.h"
#include "several_cores.h"

uint32_t has_begun;
static uint32_t rounds;	  /* that DRIVER has ended */
static uint32_t restarts; /* of WORK */
static uint32_t runs;	  /* of BASIC and EXTENDED */

static TaskType target; /* of SENDER */

TASK(SENDER)
{
	(void)ChainTask(target);
	mark('!');
}

/* Nothing is left, and nothing comes later. */
TASK(REVIVE)
{
	count(&restarts);
	EXPECT(state_of(BASIC), SUSPENDED);
	EXPECT(state_of(EXTENDED), SUSPENDED);
	EXPECT(AllowAccess(), E_OK);
	TerminateTask();
}

TASK(BASIC)
{
	count(&runs);
	TerminateTask();
}

TASK(EXTENDED)
{
	count(&runs);
	TerminateTask();
}

TASK(DRIVER)
{
	for (uint32_t round = 1;; round++) {
		AWAIT(look(&has_begun) == round);
		EXPECT(TerminateApplication(WORK, RESTART), E_OK);
		EXPECT(restarts, round);
		count(&rounds);
	}
}

static void ends_before_it_is_sent(TaskType task)
{
	uint32_t round = rounds + 1;

	target = task;
	EXPECT(ActivateTask(SENDER), E_OK);
	AWAIT(look(&rounds) == round);
	EXPECT(look(&runs), 0);
}

static void can_be_activated(TaskType task, uint32_t times)
{
	EXPECT(ActivateTask(task), E_OK);
	AWAIT(look(&runs) >= times);
}

TASK(MAIN)
{
	ends_before_it_is_sent(BASIC);
	ends_before_it_is_sent(EXTENDED);
	ends_before_it_is_sent(REVIVE);
	can_be_activated(BASIC, 1);
	can_be_activated(EXTENDED, 2);
	EXPECT(look(&runs), 2);
	EXPECT(look(&restarts), 3);
	ShutdownAllCores(E_OK);
}
