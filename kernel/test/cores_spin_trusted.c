/* SPDX-License-Identifier: MIT */
/* Interrupt handlers have no spinlocks. */
#include "check.h"

ISR(HANDLER)
{
	TryToGetSpinlockType success;

	EXPECT(GetSpinlock(S), E_OS_CALLEVEL);
	EXPECT(TryToGetSpinlock(S, &success), E_OS_CALLEVEL);
	EXPECT(ReleaseSpinlock(S), E_OS_CALLEVEL);
}
