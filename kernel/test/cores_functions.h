/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_CORES_FUNCTIONS_H
#define PLF_TEST_CORES_FUNCTIONS_H

#include "check.h"

/* The parameters of MEETS: a word that its caller writes, and a word that the other core writes. */
struct meeting {
	uint32_t *mine;
	const uint32_t *others;
	ApplicationType caller;
};

#endif
