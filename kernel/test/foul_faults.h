/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FOUL_FAULTS_H
#define PLF_TEST_FOUL_FAULTS_H

#include "foul.h"

/* A forbidden access, which ends the task. */
struct attempt {
	const char *name;
	void (*run)(void);
	StatusType fault;
};

extern const struct attempt memory_attempts[], other_attempts[]; /* the last has no name */

/* Private data of VICTIM. */
extern volatile uint64_t secret;

#endif
