/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "check.h"

static const ProtectionReturnType answers[] = { PRO_TERMINATEAPPL_RESTART, PRO_TERMINATEAPPL,
						PRO_TERMINATEAPPL_RESTART,
						PRO_TERMINATEAPPL_RESTART };

ProtectionReturnType ProtectionHook(StatusType status)
{
	mark('p');
	EXPECT(status, E_OS_PROTECTION_MEMORY);
	EXPECT(GetApplicationID(), TEST_CASE == 2 ? PLAIN : WORK);
	return answers[TEST_CASE];
}
