/* SPDX-License-Identifier: MIT */
#include "check.h"

extern volatile uint32_t faults;
extern volatile StatusType fault;

ProtectionReturnType ProtectionHook(StatusType status)
{
	faults++;
	fault = status;
	return PRO_TERMINATETASKISR;
}
