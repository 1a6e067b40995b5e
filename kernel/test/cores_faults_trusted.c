/* SPDX-License-Identifier: MIT */
#include "check.h"

extern uint32_t kills;

/* The hook runs on the core of the task that made the fault. */
ProtectionReturnType ProtectionHook(StatusType status)
{
	TaskType task = INVALID_TASK;

	CHECK(status == E_OS_PROTECTION_MEMORY || status == E_OS_PROTECTION_EXCEPTION);
	EXPECT(GetCoreID(), 1);
	EXPECT(GetTaskID(&task), E_OK);
	EXPECT(task, FOUL);
	__atomic_store_n(&kills, kills + 1, __ATOMIC_RELEASE);
	return PRO_TERMINATETASKISR;
}
