/* SPDX-License-Identifier: MIT */
/* A fault in a function goes back to its caller; any other fault ends the system. */
#include <os.h>

ProtectionReturnType ProtectionHook(StatusType status)
{
	(void)status;
	return PRO_RETURN;
}
