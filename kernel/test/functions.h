/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_FUNCTIONS_H
#define PLF_TEST_FUNCTIONS_H

#include "check.h"

/* Notes of TRUSTED_READ on itself and its caller. */
struct reading {
	TrustedFunctionIndexType index;
	ApplicationType caller, current, after_error;
	TaskType task;
	ISRType isr;
	TaskStateType state;
};

/* The acts of TRUSTED_DO. */
enum act { ACTIVATES, RAISES, REFUSES, ALLOWS, EXPIRES, SENDS };

/* Notes of hooks, callbacks and the handler. */
struct found {
	StatusType in_hook, in_callback, in_message;
	AccessType access_in_hook;
	ApplicationType error_caller, error_current;
	TrustedFunctionIndexType function; /* parameters of the last error of each service */
	void *parameters;
	TaskType task;
	MemoryStartAddressType address;
	MemorySizeType size;
	struct reading reading; /* notes of the handler */
};
extern struct found found;

#endif
