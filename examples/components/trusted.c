/* SPDX-License-Identifier: MIT */
/* A fault in a protected function returns to its caller. Any other fault ends the system. */
#include <os.h>

ProtectionReturnType ProtectionHook(StatusType status)
{
	(void)status;
	return PRO_RETURN;
}
