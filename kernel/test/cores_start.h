/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_START_H
#define PLF_TEST_CORES_START_H

#include <stdint.h>

/* What each core did, counted by itself. */
struct starts {
	uint32_t mains, hooks;
};
extern struct starts starts[3];

#endif
