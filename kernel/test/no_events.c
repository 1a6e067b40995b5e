/* SPDX-License-Identifier: MIT */
/*
 * The services of events, if no task has events: OSEK 2.2.3, 13.5.3. The first header of this file
 * belongs to another module of OSEK, which also defines the type of a status.
 */
#include "other_module.h"

#include "check.h"

TASK(OTHER)
{
	TerminateTask();
}

TASK(MAIN)
{
	EventMaskType events = 0xee;

	REFUSED(SetEvent(OTHER, 1), E_OS_ACCESS, PLF_CALL_SET_EVENT);
	REFUSED(SetEvent(PLF_TASKS, 1), E_OS_ID, PLF_CALL_SET_EVENT);
	REFUSED(SetEvent(INVALID_TASK, 1), E_OS_ID, PLF_CALL_SET_EVENT);
	REFUSED(GetEvent(OTHER, &events), E_OS_ACCESS, PLF_CALL_GET_EVENT);
	REFUSED(GetEvent(PLF_TASKS, &events), E_OS_ID, PLF_CALL_GET_EVENT);
	EXPECT(events, 0xee);
	REFUSED(ClearEvent(1), E_OS_ACCESS, PLF_CALL_CLEAR_EVENT);
	REFUSED(WaitEvent(UINT64_MAX), E_OS_ACCESS, PLF_CALL_WAIT_EVENT);
	ShutdownOS(E_OK);
}
