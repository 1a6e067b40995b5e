/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_CORES_H
#define PLF_OS_CORES_H

/*
 * For main() of a trusted file, in a description with several cpus or with modes: each core that is
 * started executes it, from the first one on. It must end in StartOS(). Without it all cores are
 * started, in OSDEFAULTAPPMODE.
 */
#include "os_types.h"

/*
 * E_OS_ID: there is no such core; E_OS_STATE: it is started already; E_OS_ACCESS: this core has
 * called StartOS() before.
 */
void StartCore(CoreIdType core, StatusType *status); /* of several cores */

/*
 * Waits for all cores that were started, before StartupHook and after it. Does not return. Where
 * the description has modes, a number that is none of them ends the system with E_OS_ID, and
 * another mode than that of a core before with E_OS_STATE; DONOTCARE takes that of the others.
 */
_Noreturn void StartOS(AppModeType mode);

#endif
