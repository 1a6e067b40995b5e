/* SPDX-License-Identifier: MIT */
#ifndef PLF_EFFECTIVE_H
#define PLF_EFFECTIVE_H

/* The priority that the library asks of the kernel, besides the base priority. */
#include "arena.h"

/* The calling thread's from now on. EPERM: no privilege for it. Lowering is never refused. */
int plf_set_effective(struct plf_slot *slot, int priority);

#endif
