/* SPDX-License-Identifier: MIT */
#ifndef PLF_PORT_TYPES_H
#define PLF_PORT_TYPES_H

/* Unused, because the model switches the registers. */
struct plf_context {
	char unused;
};

#endif
