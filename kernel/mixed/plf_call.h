/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALL_H
#define PLF_CALL_H

/*
 * Service calls of a mixed file, which runs in both modes. Each call checks the mode: user mode
 * calls as tasks do, the kernel's mode as hooks and handlers do.
 */
#define PLF_DOOR plf_mixed_call
#include "../trusted/os_cores.h"
#include "plf_call_door.h"
#include "plf_mode.h"

ISRType GetISRID(void);

static inline ISRType plf_get_isr_id(void)
{
	return plf_is_in_kernel() ? GetISRID() : INVALID_ISR;
}

#define GetISRID plf_get_isr_id

#endif
