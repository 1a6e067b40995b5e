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

/* GetISRID is of category 2. */
ISR(BESIDE)
{
	EXPECT(GetISRID(), INVALID_ISR);
	mark('b');
}

void PreTaskHook(void)
{
	of_pre_task = GetISRID();
}

/* Of MAIN's call it raises the interrupt. */
void ErrorHook(StatusType status)
{
	uint32_t source = next_source;

	(void)status;
	if (!source) {
		of_handler_error = GetISRID();
		return;
	}
	of_task_error = GetISRID();
	next_source = 0;
	plf_port_raise(source);
}
