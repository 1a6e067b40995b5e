/* SPDX-License-Identifier: MIT */
/*
 * Events: the tasks that wait and wake, their order, and the answers of services (OSEK 2.2.3,
 * 13.5.3).
 */
#include "check.h"

static EventMaskType set_in(TaskType task)
{
	EventMaskType events = 0;

	ALLOWED(GetEvent(task, &events));
	return events;
}

static void refuse_its_end(void)
{
	REFUSED(ChainTask(LOW), E_OS_LIMIT, PLF_CALL_CHAIN_TASK);
	if (!PLF_EXTENDED_STATUS)
		return;
	ALLOWED(GetResource(R));
	REFUSED(ChainTask(OTHER), E_OS_RESOURCE, PLF_CALL_CHAIN_TASK);
	REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	ALLOWED(ReleaseResource(R));
}

TASK(HIGH)
{
	mark('h');
	ALLOWED(SetEvent(HIGH, C)); /* set before it waits */
	ALLOWED(WaitEvent(C));
	refuse_its_end();
	EXPECT(set_in(HIGH), C);
	ALLOWED(ClearEvent(B)); /* B is not set */
	EXPECT(set_in(HIGH), C);
	ALLOWED(ClearEvent(A | B | C));
	EXPECT(set_in(HIGH), 0);
	mark('i');
	ALLOWED(WaitEvent(A | B)); /* a single event is enough */
	EXPECT(set_in(HIGH), B | C);
	mark('j');
	ALLOWED(ClearEvent(B));
	ALLOWED(WaitEvent(C | A)); /* set while it waited for other events */
	mark('k');
	if (PLF_EXTENDED_STATUS) {
		ALLOWED(GetResource(R));
		REFUSED(WaitEvent(C), E_OS_RESOURCE, PLF_CALL_WAIT_EVENT);
		ALLOWED(ReleaseResource(R));
	}
	ALLOWED(ClearEvent(C));
	ALLOWED(WaitEvent(A));
	mark('l');
	TerminateTask();
}

TASK(OTHER)
{
	mark('o');
	ALLOWED(WaitEvent(A));
	mark('p');
	ALLOWED(SetEvent(HIGH, A)); /* of equal priority, so it preempts no task */
	ALLOWED(ClearEvent(A));
	mark('q');
	ALLOWED(WaitEvent(A));
	mark('r');
	TerminateTask();
}

TASK(LOW)
{
	ALLOWED(WaitEvent(B));
	EXPECT_TRAIL("");
	ShutdownOS(E_OK);
}

static void refuse(void)
{
	EventMaskType events = 5;

	REFUSED(SetEvent(PLF_TASKS, A), E_OS_ID, PLF_CALL_SET_EVENT);
	REFUSED(GetEvent(PLF_TASKS, &events), E_OS_ID, PLF_CALL_GET_EVENT);
	REFUSED(SetEvent(MAIN, A), E_OS_ACCESS, PLF_CALL_SET_EVENT);
	REFUSED(GetEvent(MAIN, &events), E_OS_ACCESS, PLF_CALL_GET_EVENT);
	REFUSED(ClearEvent(A), E_OS_ACCESS, PLF_CALL_CLEAR_EVENT);
	REFUSED(WaitEvent(A), E_OS_ACCESS, PLF_CALL_WAIT_EVENT);
	EXPECT(events, 5);
	if (PLF_EXTENDED_STATUS)
		REFUSED(GetEvent(LOW, NULL), E_OS_PARAM_POINTER, PLF_CALL_GET_EVENT);
}

/* The kind of the task is checked first, then its state, then the resources of the caller. */
static void in_order(void)
{
	EventMaskType events = 5;

	REFUSED(SetEvent(BASIC, A), E_OS_ACCESS, PLF_CALL_SET_EVENT); /* it is also suspended */
	REFUSED(GetEvent(BASIC, &events), E_OS_ACCESS, PLF_CALL_GET_EVENT);
	EXPECT(events, 5);
	ALLOWED(GetResource(R));
	REFUSED(WaitEvent(A), E_OS_ACCESS, PLF_CALL_WAIT_EVENT);
	ALLOWED(ReleaseResource(R));
}

TASK(BASIC)
{
	TerminateTask();
}

/* Standard status reports no error. A suspended task has no events, and gets none. */
static void set_suspended(TaskType task)
{
	EventMaskType events = 5;

	if (PLF_EXTENDED_STATUS) {
		REFUSED(SetEvent(task, A), E_OS_STATE, PLF_CALL_SET_EVENT);
		REFUSED(GetEvent(task, &events), E_OS_STATE, PLF_CALL_GET_EVENT);
		EXPECT(events, 5);
	} else {
		ALLOWED(SetEvent(task, A));
		EXPECT(set_in(task), 0);
	}
}

TASK(MAIN)
{
	ALLOWED(ActivateTask(LOW));
	refuse();
	in_order();
	set_suspended(HIGH);
	ALLOWED(ActivateTask(HIGH));
	EXPECT_TRAIL("hi");
	ALLOWED(SetEvent(HIGH, C)); /* HIGH does not wait for C */
	EXPECT_TRAIL("");
	EXPECT(set_in(HIGH), C);
	ALLOWED(SetEvent(HIGH, B));
	EXPECT_TRAIL("jk");
	ALLOWED(ActivateTask(OTHER));
	ALLOWED(SetEvent(OTHER, A));
	EXPECT_TRAIL("opql");
	ALLOWED(SetEvent(OTHER, A | B | C)); /* it does not own B and C, which have no effect */
	EXPECT_TRAIL("r");
	set_suspended(OTHER);
	ALLOWED(SetEvent(LOW, B)); /* LOW is ready, so no task is woken */
	TerminateTask();
}
