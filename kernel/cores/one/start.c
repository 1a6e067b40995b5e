/* SPDX-License-Identifier: MIT */
/* The start of one core whose description has modes: main() of a trusted file calls StartOS(). */
#include "mode.h"
#include "os_cores.h"
#include "port.h"

_Noreturn void StartOS(AppModeType mode)
{
	if (mode >= PLF_MODES)
		plf_port_end(E_OS_ID);
	plf_noted_mode = mode + 1U;
	plf_start();
	plf_port_enter();
}

/* Unless a trusted file has another main(), which is compiled under this name. */
int plf_main(void);
__attribute__((weak)) int plf_main(void)
{
	StartOS(OSDEFAULTAPPMODE);
}

_Noreturn void plf_begin(void)
{
	plf_this_core()->place = PLF_IN_MAIN;
	(void)plf_main();
	plf_port_end(E_OS_MISSINGEND); /* it did not call StartOS() */
}
