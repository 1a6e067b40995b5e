/* SPDX-License-Identifier: MIT */
#include "applications_isr.h"
#include "check.h"

/* Returns true once for each request. */
static bool is_to_end(uint32_t by)
{
	if (ends_work != by)
		return false;
	ends_work = NONE_DOES;
	return true;
}

ISR(LOCKS)
{
	mark('l');
	ALLOWED(GetResource(R));
	if (is_to_end(LOCKS_DOES)) {
		REFUSED(TerminateApplication(WORK, 2), E_OS_VALUE,
			OSServiceId_TerminateApplication);
		if (!PLF_EXTENDED_STATUS)
			SuspendAllInterrupts();
		(void)TerminateApplication(WORK, how);
		mark('!');
	}
	ALLOWED(ReleaseResource(R));
}

ISR(COMES)
{
	mark('c');
}

ISR(BESIDE)
{
	mark('n');
}

ISR(STAYS)
{
	mark('o');
	if (is_to_end(STAYS_DOES)) {
		EXPECT(TerminateApplication(WORK, how), E_OK);
		mark('+');
	}
}
