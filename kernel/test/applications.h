/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_APPLICATIONS_H
#define PLF_TEST_APPLICATIONS_H

#include "os.h"

/* What hooks and the handler found; of PreTaskHook for the task that ran last. */
struct found {
	ApplicationType startup, pre_task, of_error, of_handler, of_handler_error;
	StatusType of_closed;	     /* of a service in ErrorHook, on what its caller may not use */
	ObjectAccessType in_error;   /* CheckObjectAccess() there */
	ObjectAccessType in_hook;    /* and where it is not allowed */
	uint32_t handled;	     /* calls of the handler */
	ApplicationType application; /* parameters of the last error of CheckObjectAccess() */
	ObjectTypeType kind;
	uintptr_t object;
};
extern struct found found;

#endif
