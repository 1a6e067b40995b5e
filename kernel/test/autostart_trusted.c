/* SPDX-License-Identifier: MIT */
#include "check.h"

void StartupHook(void)
{
	mark('S');
}

void PreTaskHook(void)
{
	mark('<');
}
