/* SPDX-License-Identifier: MIT */
/*
 * GetISRID (AUTOSAR) returns the running handler, also in its hooks; in all other code INVALID_ISR.
 */
#include "isr_id.h"
#include "check.h"

ISRType of_task_error = NOT_ASKED, of_handler_error = NOT_ASKED;
ISRType of_task_hooks[TASK_HOOKS] = { NOT_ASKED, NOT_ASKED, NOT_ASKED };
uint32_t next_source;

TASK(HIGH)
{
	EXPECT(GetISRID(), INVALID_ISR);
	mark('h');
	TerminateTask();
}

static void raised(uint32_t source, ISRType isr)
{
	next_source = source;
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	EXPECT(of_task_error, INVALID_ISR);
	EXPECT(of_handler_error, isr);
	for (unsigned hook = 0; hook < TASK_HOOKS;
	     hook++) /* they come when the handler has ended */
		EXPECT(of_task_hooks[hook], INVALID_ISR);
}

TASK(MAIN)
{
	EXPECT(GetISRID(), INVALID_ISR);
	raised(5, FIRST);
	EXPECT_TRAIL("1h");
	raised(6, SECOND);
	EXPECT_TRAIL("2h");
	next_source = 7;
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	EXPECT_TRAIL("b");
	EXPECT(GetISRID(), INVALID_ISR);
	ShutdownOS(E_OK);
}
