/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "cores_end.h"
#include "kernel/port.h"

void ShutdownHook(StatusType status)
{
	if (status == TEST_FAILED)
		plf_port_end(TEST_FAILED);
	__atomic_store_n(&has_ended[GetCoreID()], 1, __ATOMIC_RELEASE);
}
