/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FOUL_FUNCTIONS_H
#define PLF_TEST_FOUL_FUNCTIONS_H

#include "check.h"

/*
 * The parameters of TRUSTED_COPY, which copies for a task that may read the source and write the
 * target.
 */
struct copy {
	const volatile void *from;
	volatile void *to;
	size_t size;
};

enum answer { COPIED, NO_REQUEST, NO_SOURCE, NO_TARGET };
extern enum answer answered;

#endif
