/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_TYPES_H
#define PLF_PORT_TYPES_H

#include "system.h"

#include <stdbool.h>
#include <stdint.h>

struct plf_core;

/* In processor.c: the simulated core that executes this. For images with several cores. */
struct plf_core *plf_port_this_core(void);

/* The coroutine itself is in processor.c, which uses the host's libc. */
struct plf_context {
	bool has_begun; /* the coroutine executes an activation that has not ended */
	uint8_t domain[PLF_PROTECTED_FUNCTIONS ? 1 : 0]; /* kernel/function.h */
};

#endif
