/* SPDX-License-Identifier: MIT */
/*
 * The calls of hooks: PreTaskHook and PostTaskHook at each change of the running task and at no
 * other time, ErrorHook before the service returns.
 */
#include "check.h"

TASK(HIGH)
{
	mark('1');
	EXPECT(WaitEvent(EV), E_OK);
	mark('2');
	EXPECT(WaitEvent(EV), E_OK); /* EV is still set: no change */
	mark('3');
	ChainTask(HIGH);
}

TASK(MID)
{
	mark('4');
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT_TRAIL("S<n");
	EXPECT(ActivateTask(HIGH), E_OK);
	EXPECT_TRAIL(">n<h1>h<n");
	EXPECT(SetEvent(HIGH, EV), E_OK);
	EXPECT_TRAIL(">n<h23>h<h1>h<n");
	EXPECT(GetResource(R), E_OK);
	EXPECT(ReleaseResource(R), E_OK);
	EXPECT(Schedule(), E_OK);
	EXPECT_TRAIL("");
	EXPECT(ActivateTask(MID), E_OK);
	EXPECT_TRAIL(">n<m4>m<n");
	raise_interrupts(1 << 5);
	EXPECT_TRAIL("ie>n<m4>m<n");
	EXPECT(ActivateTask(HIGH), E_OS_LIMIT);
	EXPECT_TRAIL("e");
	EXPECT(test.error, E_OS_LIMIT);
	EXPECT(test.service, PLF_CALL_ACTIVATE_TASK);
	EXPECT(SetEvent(MID, EV), E_OS_ACCESS);
	EXPECT_TRAIL("e");
	EXPECT(SetEvent(HIGH, EV), E_OK);
	EXPECT_TRAIL(">n<h23>h<h1>h<n");
	EXPECT(test.service, PLF_CALL_SET_EVENT);
	EXPECT(ChainTask(HIGH), E_OS_LIMIT);
	EXPECT_TRAIL("e");
	EXPECT(test.service, PLF_CALL_CHAIN_TASK);
	ShutdownOS(E_OK);
}
