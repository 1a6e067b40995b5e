/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_TYPES_H
#define PLF_PORT_TYPES_H

#include <stdbool.h>

/* The coroutine itself is in processor.c, which uses the host's libc. */
struct plf_context {
	bool has_begun; /* the coroutine is that of an activation which has not ended */
};

#endif
