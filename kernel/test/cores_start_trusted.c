/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "check.h"
#include "cores_start.h"
#include "os_cores.h"

static StatusType start(CoreIdType core)
{
	StatusType status = INVALID_TASK;

	StartCore(core, &status);
	return status;
}

/*
 * Each core executes it. The first one leaves out the second, and the third starts none. In case 1
 * the third one does not go on to StartOS.
 */
int main(void)
{
	starts[GetCoreID()].mains++;
	if (GetCoreID() == OS_CORE_ID_MASTER) {
		EXPECT(GetNumberOfActivatedCores(), 1);
		EXPECT(start(PLF_CPUS), E_OS_ID);
		EXPECT(start(OS_CORE_ID_MASTER), E_OS_STATE);
		EXPECT(start(OS_CORE_ID_2), E_OK);
		EXPECT(start(OS_CORE_ID_2), E_OS_STATE);
	}
	EXPECT(GetNumberOfActivatedCores(), 2);
	if (TEST_CASE == 1 && GetCoreID() != OS_CORE_ID_MASTER)
		return 0;
	StartOS(OSDEFAULTAPPMODE);
}

/* All cores are in StartOS before one is here. */
void StartupHook(void)
{
	EXPECT(starts[0].mains, 1);
	EXPECT(starts[2].mains, 1);
	EXPECT(start(OS_CORE_ID_1), E_OS_ACCESS);
	__atomic_store_n(&starts[GetCoreID()].hooks, 1, __ATOMIC_RELEASE);
}
