/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_MESSAGES_H
#define PLF_TEST_MESSAGES_H

#include <stdint.h>

/* The largest possible message. */
struct shape {
	uint8_t corner[256];
};

/* Notes of COMErrorHook and of the callback of SHAPE_CALL. */
struct seen {
	uint32_t com_errors;
	uint32_t message; /* the parameter of the last error */
	uint32_t shaped;  /* callbacks */
	uint8_t corner;	  /* the last byte that it received */
	uint32_t handled; /* received by HANDLER */
};
extern struct seen seen;

#endif
