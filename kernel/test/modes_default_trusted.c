/* SPDX-License-Identifier: MIT */
#include "check.h"

void StartupHook(void)
{
	EXPECT(GetActiveApplicationMode(), OSDEFAULTAPPMODE);
	mark('S');
}
