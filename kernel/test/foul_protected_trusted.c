/* SPDX-License-Identifier: MIT */
#include "foul_protected.h"

ProtectionReturnType ProtectionHook(StatusType status)
{
	shared.faults++;
	shared.fault = status;
	shared.application = GetCurrentApplicationID();
	return shared.answer;
}
