/* SPDX-License-Identifier: MIT */
/* Start of a single core whose description has modes: main() of a trusted file calls StartOS(). */
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

/* Default main(). A main() of a trusted file is compiled under this name, and replaces it. */
int plf_main(void);
__attribute__((weak)) int plf_main(void)
{
	StartOS(OSDEFAULTAPPMODE);
}

_Noreturn void plf_begin(void)
{
	plf_this_core()->place = PLF_IN_MAIN;
	(void)plf_main();
	plf_port_end(E_OS_MISSINGEND); /* main() did not call StartOS() */
}
