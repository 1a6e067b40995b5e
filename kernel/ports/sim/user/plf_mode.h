/* SPDX-License-Identifier: MIT */
#ifndef PLF_MODE_OF_PORT_H
#define PLF_MODE_OF_PORT_H

/* For files that run in both modes: in mixed/mode.c. The kernel has no stacks of its own here. */
#include <stdbool.h>

bool plf_is_in_kernel(void);

#endif
