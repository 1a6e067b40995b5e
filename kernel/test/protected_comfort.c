/* SPDX-License-Identifier: MIT */
#include "protected.h"

/* HIGH preempts MAIN, also inside the same application. */
TASK(HIGH)
{
	uint64_t value = 0;

	mark('h');
	EXPECT(GetCurrentApplicationID(), COMFORT);
	ALLOWED(Call_READ(5, 6, 7, 8, &value));
	EXPECT(value, 8765);
	REFUSED(Call_DO(0, 0, 0, 0, &value), E_OS_ACCESS, OSServiceId_CallNonTrustedFunction);
	EXPECT(found.function, DO);
	EXPECT(GetCurrentApplicationID(), COMFORT);
	mark('H');
	TerminateTask();
}
