/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_TYPES_H
#define PLF_PORT_TYPES_H

#include <stdbool.h>

struct plf_core;
struct plf_core *plf_port_this_core(void);

/* Unused, because the model switches the registers. */
struct plf_context {
	char unused;
};

#endif
