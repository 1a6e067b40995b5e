/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "check.h"
#include "cores_start.h"
#include "kernel/port.h"
#include "os_cores.h"

static StatusType start(CoreIdType core)
{
	StatusType status = INVALID_TASK;

	StartCore(core, &status);
	return status;
}

/* Cores may be started until the last started core has called StartOS(). */
static void start_second(void)
{
	for (uint32_t more = 0; more < 100; more++)
		plf_port_wait_a_little();
	EXPECT(start(OS_CORE_ID_1), E_OK);
	EXPECT(start(OS_CORE_ID_1), E_OS_STATE);
	EXPECT(GetNumberOfActivatedCores(), 3);
}

/*
 * Each core executes main(). The first core does not start the second. The third core starts none,
 * or the second.
 */
int main(void)
{
	starts[GetCoreID()].mains++;
	if (GetCoreID() == OS_CORE_ID_1)
		StartOS(OSDEFAULTAPPMODE);
	if (GetCoreID() == OS_CORE_ID_MASTER) {
		EXPECT(GetNumberOfActivatedCores(), 1);
		EXPECT(start(PLF_CPUS), E_OS_ID);
		EXPECT(start(OS_CORE_ID_MASTER), E_OS_STATE);
		EXPECT(start(OS_CORE_ID_2), E_OK);
		EXPECT(start(OS_CORE_ID_2), E_OS_STATE);
	}
	EXPECT(GetNumberOfActivatedCores(), 2);
	if (TEST_CASE == ENDS_IN_MAIN && GetCoreID() != OS_CORE_ID_MASTER)
		return 0;
	if (TEST_CASE == STARTS_IN_TURN && GetCoreID() != OS_CORE_ID_MASTER)
		start_second();
	StartOS(OSDEFAULTAPPMODE);
}

/* Every core has called StartOS() before StartupHook runs. */
void StartupHook(void)
{
	EXPECT(starts[0].mains, 1);
	EXPECT(starts[1].mains, TEST_CASE == STARTS_IN_TURN);
	EXPECT(starts[2].mains, 1);
	EXPECT(start(OS_CORE_ID_1), E_OS_ACCESS);
	__atomic_store_n(&starts[GetCoreID()].hooks, 1, __ATOMIC_RELEASE);
}
