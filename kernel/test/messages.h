/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_MESSAGES_H
#define PLF_TEST_MESSAGES_H

#include <stdint.h>

/* As large as a message may be. */
struct shape {
	uint8_t corner[256];
};

/* Of COMErrorHook and the callback of SHAPE_CALL. */
struct seen {
	uint32_t com_errors;
	uint32_t message; /* the parameter of the last error */
	uint32_t shaped;  /* callbacks */
	uint8_t corner;	  /* the last one of what it received */
	uint32_t handled; /* what HANDLER received */
};
extern struct seen seen;

#endif
