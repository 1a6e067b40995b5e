/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "modes.h"
#include "os_cores.h"

/* Without a call of StartOS() in case 3. */
int main(void)
{
	static const AppModeType modes[] = { NORMAL, REPAIR, PLF_MODES };

	mode_of_main = GetActiveApplicationMode();
	if (TEST_CASE < 3)
		StartOS(modes[TEST_CASE]);
	return 0;
}

void StartupHook(void)
{
	mode_of_hook = GetActiveApplicationMode();
}
