/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_START_H
#define PLF_TEST_CORES_START_H

#include <stdint.h>

/* TEST_CASE: a core does not call StartOS(), or each of two cores starts another core. */
enum { USUAL, ENDS_IN_MAIN, STARTS_IN_TURN };

/* Counts of each core, which only that core writes. */
struct starts {
	uint32_t mains, hooks;
};
extern struct starts starts[3];

#endif
