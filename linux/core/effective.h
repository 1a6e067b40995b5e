/* SPDX-License-Identifier: MIT */
#ifndef PLF_EFFECTIVE_H
#define PLF_EFFECTIVE_H

/* The priority that the library asks of the kernel: the base priority, or more inside sections. */
#include "arena.h"

/* Set it for the calling thread. EPERM: no privilege. Lowering is never refused. */
int plf_set_effective(struct plf_slot *slot, int priority);

#endif
