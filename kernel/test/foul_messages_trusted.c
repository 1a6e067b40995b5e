/* SPDX-License-Identifier: MIT */
#include "check.h"

void COMErrorHook(StatusType status)
{
	test.errors++;
	test.error = status;
	test.service = COMErrorGetServiceId();
}
