/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "os_console.h"

/* Trusted code uses plf_port_write() instead. */
void StartupHook(void)
{
	REFUSED(WriteConsole("refused\n", 8), E_OS_CALLEVEL, PLF_CALL_WRITE_CONSOLE);
}
