/* SPDX-License-Identifier: MIT */
#include "check.h"

ProtectionReturnType ProtectionHook(StatusType status)
{
	(void)status;
	return PRO_RETURN;
}
