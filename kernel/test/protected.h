/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_PROTECTED_H
#define PLF_TEST_PROTECTED_H

#include "check.h"

/* The acts of FUNCTION_DO. */
enum act { ACTIVATES, RAISES, ENDS_TASK, ENDS_ITSELF, WAITS, LOCKS, MASKS, NESTS, ASKS_OTHER };

/* Notes of the handler and of ErrorHook. */
struct found {
	StatusType in_handler, in_hook;
	ApplicationType caller, current; /* in ErrorHook, at the last error */
	FunctionIndexType function;
	bool calls; /* ErrorHook must call a function */
};
extern struct found found;

#endif
