/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/* Service calls of hooks, interrupt handlers and main(), which run in the kernel's mode. */
#define PLF_DOOR plf_trusted_call
#include "os_cores.h"
#include "plf_call_door.h"

/* In a task os.h defines it, because a task is no handler. */
#define GetISRID GetISRID
ISRType GetISRID(void);

#endif
