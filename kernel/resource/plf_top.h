/* SPDX-License-Identifier: MIT */
#ifndef PLF_TOP_H
#define PLF_TOP_H

#include "plf_shared.h"

/* What the kernel keeps of a task while it does not run; how urgent it is is in struct plf_task. */
struct plf_task_words {
	uint32_t top; /* extended status: 1 + the resource entered last; 0: none is held */
};

#endif
