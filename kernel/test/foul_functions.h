/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FOUL_FUNCTIONS_H
#define PLF_TEST_FOUL_FUNCTIONS_H

#include "check.h"

/* What TRUSTED_COPY copies for a task, if that may read the one and write the other. */
struct copy {
	const volatile void *from;
	volatile void *to;
	size_t size;
};

enum answer { COPIED, NO_REQUEST, NO_SOURCE, NO_TARGET };
extern enum answer answered;

#endif
