/* SPDX-License-Identifier: MIT */
#ifndef PLF_TOP_H
#define PLF_TOP_H

#include "plf_shared.h"

/* Kept by the kernel while a task does not run; its urgency is in struct plf_task. */
struct plf_task_words {
	uint32_t top; /* extended status: 1 + the resource entered last; 0: none is held */
};

#endif
