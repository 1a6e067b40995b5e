/* SPDX-License-Identifier: MIT */
/*
 * A trusted function is for the cores of its application. On other cores it is E_OS_ACCESS
 * (SWS_Os_00623).
 */
#include "cores_functions.h"
#include "several_cores.h"

enum { MEETINGS = 50 };

static uint32_t met[2], ended;

/* Both cores call at the same time, again and again. */
static void meet(unsigned core, ApplicationType own)
{
	struct meeting meeting = { &met[core], &met[!core], INVALID_OSAPPLICATION };

	for (uint32_t i = 1; i <= MEETINGS; i++) {
		EXPECT(CallTrustedFunction(MEETS, &meeting), E_OK);
		EXPECT(meeting.caller, own);
		EXPECT(GetCurrentApplicationID(), own);
		AWAIT(look(meeting.others) >= i);
	}
}

TASK(SECOND)
{
	uint32_t calls = 0;

	meet(1, THERE);
	EXPECT(CallTrustedFunction(OF_THERE, &calls), E_OK);
	EXPECT(CallTrustedFunction(OF_HERE, &calls), E_OS_ACCESS);
	EXPECT(CallTrustedFunction(MEETS + 1, &calls), E_OS_SERVICEID);
	EXPECT(calls, 1);
	count(&ended);
	TerminateTask();
}

TASK(FIRST)
{
	uint32_t calls = 0;

	meet(0, HERE);
	AWAIT(look(&ended));
	test.errors = 0;
	ALLOWED(CallTrustedFunction(OF_HERE, &calls));
	REFUSED(CallTrustedFunction(OF_THERE, &calls), E_OS_ACCESS,
		OSServiceId_CallTrustedFunction);
	EXPECT(calls, 1);
	ShutdownAllCores(E_OK);
}
