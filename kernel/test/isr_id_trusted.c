/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "check.h"
#include "isr_id.h"

ISR(FIRST)
{
	EXPECT(GetISRID(), FIRST);
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	mark('1');
	EXPECT(ActivateTask(HIGH), E_OK);
}

ISR(SECOND)
{
	EXPECT(GetISRID(), SECOND);
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID);
	mark('2');
	EXPECT(ActivateTask(HIGH), E_OK);
}

/* Category 1, but GetISRID knows only category 2. */
ISR(BESIDE)
{
	EXPECT(GetISRID(), INVALID_ISR);
	mark('b');
}

static bool in_task_hook;

static void keep(unsigned hook)
{
	ISRType isr = GetISRID();

	if (of_task_hooks[hook] == NOT_ASKED || isr != INVALID_ISR)
		of_task_hooks[hook] = isr;
}

static void keep_with_error(unsigned hook)
{
	in_task_hook = true;
	keep(hook);
	EXPECT(ActivateTask(HIGH), E_OS_CALLEVEL);
	in_task_hook = false;
}

void PreTaskHook(void)
{
	keep_with_error(OF_PRE_TASK);
}

void PostTaskHook(void)
{
	keep_with_error(OF_POST_TASK);
}

/* For MAIN's call the hook raises the interrupt. */
void ErrorHook(StatusType status)
{
	uint32_t source = next_source;

	(void)status;
	if (in_task_hook) {
		keep(OF_HOOK_ERROR);
		return;
	}
	if (!source) {
		of_handler_error = GetISRID();
		return;
	}
	of_task_error = GetISRID();
	next_source = 0;
	plf_port_raise(source);
}
