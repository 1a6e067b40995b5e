/* SPDX-License-Identifier: MIT */
#ifndef PLF_LEVEL_MASK_H
#define PLF_LEVEL_MASK_H

/* Hardware scheduler: as `syscall`, and the ceiling of a section is the controller's mask. */
#define plf_level_rises plf_level_rises
static inline void plf_level_rises(unsigned level)
{
	plf_port_hold_back(level);
}

#include "../syscall/plf_level.h"

#endif
