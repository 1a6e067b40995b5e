/* SPDX-License-Identifier: MIT */
/*
 * An application ends while another core is in the middle of activating a task of it. The
 * activation has room, but is sent only after the application is closed. ChainTask() calls
 * PostTaskHook between these two. The same for a task that another core wakes: there the hook does
 * the other core's part.
 */
#include "cores_applications_late.h"
#include "several_cores.h"

uint32_t has_begun;
static uint32_t rounds;	  /* rounds that DRIVER has ended */
static uint32_t restarts; /* restarts of WORK */
static uint32_t runs;	  /* runs of BASIC, EXTENDED and WAITS */

volatile enum part part;
static TaskType target; /* activated by SENDER */

TASK(SENDER)
{
	if (part == CHAINS)
		(void)ChainTask(target);
	else
		TerminateTask();
	mark('!');
}

/* No state is left, and nothing comes afterwards. */
TASK(REVIVE)
{
	count(&restarts);
	EXPECT(state_of(BASIC), SUSPENDED);
	EXPECT(state_of(EXTENDED), SUSPENDED);
	EXPECT(state_of(WAITS), SUSPENDED);
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

TASK(WAITS)
{
	EXPECT(WaitEvent(EV), E_OK);
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

static void ends_meanwhile(enum part of_sender)
{
	uint32_t round = rounds + 1;

	part = of_sender;
	EXPECT(ActivateTask(SENDER), E_OK);
	AWAIT(look(&rounds) == round);
	AWAIT(state_of(SENDER) == SUSPENDED);
	EXPECT(look(&runs), 0);
}

static void ends_before_it_is_sent(TaskType task)
{
	target = task;
	ends_meanwhile(CHAINS);
}

/* WAITS waits again after that. */
static void ends_while_it_is_woken(void)
{
	EXPECT(ActivateTask(WAITS), E_OK);
	AWAIT(state_of(WAITS) == WAITING);
	ends_meanwhile(WAKES);
	EXPECT(state_of(WAITS), SUSPENDED);
	EXPECT(ActivateTask(WAITS), E_OK);
	AWAIT(state_of(WAITS) == WAITING);
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
	ends_meanwhile(BEGINS_LATER);
	ends_while_it_is_woken();
	can_be_activated(BASIC, 1);
	can_be_activated(EXTENDED, 2);
	EXPECT(SetEvent(WAITS, EV), E_OK);
	AWAIT(look(&runs) == 3);
	EXPECT(look(&restarts), 5);
	ShutdownAllCores(E_OK);
}
