/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_CORES_H
#define PLF_OS_CORES_H

/*
 * For main() of a trusted file, if the description has several cpus, or modes. Each core that is
 * started executes main(), the first core included. main() must end in StartOS(). Without main()
 * all cores start in OSDEFAULTAPPMODE.
 */
#include "os_types.h"

/*
 * E_OS_ID: there is no such core; E_OS_STATE: it is started already; E_OS_ACCESS: this core has
 * called StartOS() before.
 */
void StartCore(CoreIdType core, StatusType *status); /* with several cores only */

/*
 * Waits for all started cores, before StartupHook and after it. Does not return. If the description
 * has modes, an unknown mode ends the system with E_OS_ID. A mode that differs from the mode of an
 * earlier core ends it with E_OS_STATE. DONOTCARE takes the mode of the other cores.
 */
_Noreturn void StartOS(AppModeType mode);

#endif
