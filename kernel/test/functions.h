/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FUNCTIONS_H
#define PLF_TEST_FUNCTIONS_H

#include "check.h"

/* What TRUSTED_READ finds out about itself and about its caller. */
struct reading {
	TrustedFunctionIndexType index;
	ApplicationType caller, current, after_error;
	TaskType task;
	ISRType isr;
	TaskStateType state;
};

/* What TRUSTED_DO does. */
enum act { ACTIVATES, RAISES, REFUSES, ALLOWS, EXPIRES, SENDS };

/* What hooks, callbacks and the handler found. */
struct found {
	StatusType in_hook, in_callback, in_message;
	AccessType access_in_hook;
	ApplicationType error_caller, error_current;
	TrustedFunctionIndexType function; /* parameters of the last errors of both services */
	void *parameters;
	TaskType task;
	MemoryStartAddressType address;
	MemorySizeType size;
	struct reading reading; /* of the handler */
};
extern struct found found;

#endif
