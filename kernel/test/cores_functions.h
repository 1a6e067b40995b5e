/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_FUNCTIONS_H
#define PLF_TEST_CORES_FUNCTIONS_H

#include "check.h"

/* What MEETS is called with: a word that its caller writes, and one that the other core does. */
struct meeting {
	uint32_t *mine;
	const uint32_t *others;
	ApplicationType caller;
};

#endif
