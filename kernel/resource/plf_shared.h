/* SPDX-License-Identifier: MIT */
#ifndef PLF_SHARED_H
#define PLF_SHARED_H

/* What the protocols' words have in common. */
#include "system.h"

#include <stdint.h>

enum { PLF_PAGE_SIZE = 4096 };

/* What the kernel keeps of a task while it does not run; its level is in struct plf_task. */
struct plf_task_words {
	uint32_t top; /* extended status: 1 + the resource entered last; 0: none is held */
};

/* Of the holder of a resource. */
struct plf_resource_words {
	uint32_t saved; /* its priority before */
	uint32_t below; /* extended status: what `top` was before */
};

#endif
