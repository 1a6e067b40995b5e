/* SPDX-License-Identifier: MIT */
#ifndef PLF_MODE_OF_PORT_H
#define PLF_MODE_OF_PORT_H

/*
 * For files that run in both modes: in mixed/mode.c. The stack does not show the mode here, because
 * the kernel has no separate stacks.
 */
#include <stdbool.h>

bool plf_is_in_kernel(void);

#endif
