/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "modes.h"
#include "os_cores.h"

/* In case 3 main() does not call StartOS(). */
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
