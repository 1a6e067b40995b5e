/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_START_H
#define PLF_TEST_CORES_START_H

#include <stdint.h>

/* TEST_CASE: one core does not call StartOS(), or each of two starts another one. */
enum { USUAL, ENDS_IN_MAIN, STARTS_IN_TURN };

/* What each core did, counted by itself. */
struct starts {
	uint32_t mains, hooks;
};
extern struct starts starts[3];

#endif
