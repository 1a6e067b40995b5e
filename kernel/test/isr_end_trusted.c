/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "mask_steps.h"

extern char steps[];

ALARMCALLBACK(SUSPENDS)
{
	SuspendAllInterrupts();
	mark('c');
}

static void call_back(void)
{
	ALLOWED(SetRelAlarm(CALLS, 1, 0));
	ALLOWED(IncrementCounter(SOFT));
}

/* s: the service was allowed; z: refused. */
static void ask(bool is_masked)
{
	if (PLF_EXTENDED_STATUS && is_masked) {
		REFUSED(GetResource(0), E_OS_DISABLEDINT, OSServiceId_GetResource);
		REFUSED(CancelAlarm(INVALID_ALARM), E_OS_DISABLEDINT, OSServiceId_CancelAlarm);
		REFUSED(ActivateTask(OTHER), E_OS_DISABLEDINT, OSServiceId_ActivateTask);
	} else {
		ALLOWED(ActivateTask(OTHER));
	}
	EXPECT(GetISRID(), LEAVES);
	mark(PLF_EXTENDED_STATUS && is_masked ? 'z' : 's');
}

ISR(LEAVES)
{
	int held = 0;

	mark('i');
	for (const char *step = steps; *step; step++) {
		if (mask_step(*step))
			held += *step >= 'a' ? 1 : -1;
		else if (*step == 's')
			ask(held > 0);
		else
			call_back();
	}
}
