/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "sweep_routines.h"

ISR(COMES_URGENT)
{
	TaskStateType state = SUSPENDED;

	EXPECT(GetTaskState(URGENT, &state), E_OK);
	if (state == SUSPENDED)
		return; /* URGENT has not begun yet */
	EXPECT(SetEvent(URGENT, EV), E_OK);
	interrupts[URGENT]++;
}

static void lock(void)
{
	EXPECT(GetResource(WITH_ROUTINE), E_OK);
	EXPECT(is_inside, false);
	EXPECT(ReleaseResource(WITH_ROUTINE), E_OK);
}

ISR(COMES_HIGH)
{
	lock();
	EXPECT(ActivateTask(HIGH), E_OK);
	interrupts[HIGH]++;
}

ISR(COMES_MID)
{
	lock();
	EXPECT(ActivateTask(MID), E_OK);
	interrupts[MID]++;
}
