/* SPDX-License-Identifier: MIT */
/*
 * ChainTask: the end of a task and the activation of another task, or of itself, in a single call.
 */
#include "check.h"

static unsigned runs;

/*
 * A chains to itself, although it has only a single activation. It comes after the others of its
 * priority.
 */
TASK(A)
{
	mark('a');
	switch (++runs) {
	case 1:
		ALLOWED(ActivateTask(B));
		ALLOWED(ActivateTask(B));
		ChainTask(A);
		break;
	case 2:
		REFUSED(ChainTask(PLF_TASKS), E_OS_ID, PLF_CALL_CHAIN_TASK);
		ALLOWED(ActivateTask(LOW));
		REFUSED(ChainTask(LOW), E_OS_LIMIT, PLF_CALL_CHAIN_TASK);
		mark('A');
		ChainTask(HIGH);
		break;
	default:
		ChainTask(E);
	}
	CHECK(false);
}

TASK(B)
{
	mark('b');
	TerminateTask();
}

/* A more urgent task runs at once, a less urgent task in its turn. */
TASK(HIGH)
{
	mark('H');
	ALLOWED(ActivateTask(B));
	ChainTask(A);
}

/*
 * MANY chains to itself with all its activations in use. The new activation comes after them, and
 * is not an activation too many.
 */
TASK(MANY)
{
	static unsigned own;

	mark((char)('0' + own));
	if (own++ == 0) {
		ALLOWED(ActivateTask(MANY));
		REFUSED(ActivateTask(MANY), E_OS_LIMIT, PLF_CALL_ACTIVATE_TASK);
		ALLOWED(ActivateTask(B));
		ChainTask(MANY);
		CHECK(false);
	}
	TerminateTask();
}

/* No event of an earlier activation is set. */
TASK(E)
{
	EventMaskType events = ~UINT64_C(0);

	ALLOWED(GetEvent(E, &events));
	EXPECT(events, 0);
	ALLOWED(SetEvent(E, EV));
	mark('e');
	if (++runs == 4)
		ChainTask(E);
	TerminateTask();
}

TASK(LOW)
{
	mark('L');
	TerminateTask();
}

TASK(LAST)
{
	ALLOWED(ActivateTask(A));
	EXPECT_TRAIL("abbaAHbaeeL");
	ALLOWED(ActivateTask(MANY));
	EXPECT_TRAIL("01b2");
	ShutdownOS(E_OK);
}
