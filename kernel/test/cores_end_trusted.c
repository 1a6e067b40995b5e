/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "check.h"
#include "cores_end.h"
#include "kernel/port.h"

/*
 * If all cores end at once, the hook is called with the status, and ends the system itself with
 * another status.
 */
void ShutdownHook(StatusType status)
{
	if (status == TEST_FAILED)
		plf_port_end(TEST_FAILED);
	if (TEST_CASE == ALL_AT_ONCE)
		plf_port_end(status == 22 ? 25 : TEST_FAILED);
	__atomic_store_n(&has_ended[GetCoreID()], 1, __ATOMIC_RELEASE);
}
