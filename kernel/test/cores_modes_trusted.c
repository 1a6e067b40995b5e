/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "check.h"
#include "os_cores.h"

/* By case and core. */
static const AppModeType modes[][PLF_CPUS] = {
	{ REPAIR, REPAIR }, { REPAIR, DONOTCARE }, { DONOTCARE, REPAIR },
	{ NORMAL, REPAIR }, { REPAIR, PLF_MODES },
};

int main(void)
{
	StatusType status;

	if (GetCoreID() == OS_CORE_ID_MASTER)
		StartCore(OS_CORE_ID_1, &status);
	StartOS(modes[TEST_CASE][GetCoreID()]);
}

/* All cores have passed their modes. */
void StartupHook(void)
{
	EXPECT(GetActiveApplicationMode(), REPAIR);
}
