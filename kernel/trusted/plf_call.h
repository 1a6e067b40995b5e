/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/*
 * How hooks and interrupt handlers, which run in the kernel's mode, call services; and what main()
 * calls, which runs there, too.
 */
#define PLF_DOOR plf_trusted_call
#include "os_cores.h"
#include "plf_call_door.h"

/* A task is no handler: see os.h. */
#define GetISRID GetISRID
ISRType GetISRID(void);

#endif
