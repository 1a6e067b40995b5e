/* SPDX-License-Identifier: MIT */
#ifndef PLF_OS_CORES_H
#define PLF_OS_CORES_H

/*
 * For main() of a trusted file, in a description with several cpus: each core that is started
 * executes it, from the first one on. It must end in StartOS(). Without it all cores are started.
 */
#include "os_types.h"

/*
 * E_OS_ID: there is no such core; E_OS_STATE: it is started already; E_OS_ACCESS: this core has
 * called StartOS() before.
 */
void StartCore(CoreIdType core, StatusType *status);

/* Waits for all cores that were started, before StartupHook and after it. Does not return. */
_Noreturn void StartOS(AppModeType mode);

#endif
