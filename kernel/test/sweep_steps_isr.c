/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "sweep_steps.h"

ISR(COMES_URGENT)
{
	TaskStateType state = SUSPENDED;

	EXPECT(GetTaskState(URGENT, &state), E_OK);
	if (state == SUSPENDED)
		return; /* URGENT has not begun yet */
	EXPECT(SetEvent(URGENT, EV), E_OK);
	interrupts[URGENT]++;
}

ISR(COMES_HIGH)
{
	EXPECT(ActivateTask(HIGH), E_OK);
	interrupts[HIGH]++;
}

ISR(COMES_MID)
{
	EXPECT(ActivateTask(MID), E_OK);
	interrupts[MID]++;
}
