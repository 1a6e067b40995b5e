/* SPDX-License-Identifier: MIT */
#ifndef PLF_TEST_APPLICATIONS_H
#define PLF_TEST_APPLICATIONS_H

#include "os.h"

/* Notes of hooks and the handler. The note of PreTaskHook is that of the last task. */
struct found {
	ApplicationType startup, pre_task, of_error, of_handler, of_handler_error;
	StatusType of_closed; /* of a service in ErrorHook, for an object that its caller may not
			       * use */
	ObjectAccessType in_error;   /* CheckObjectAccess() in ErrorHook */
	ObjectAccessType in_hook;    /* in a hook that may not call it */
	uint32_t handled;	     /* calls of the handler */
	ApplicationType application; /* parameters of the last error of CheckObjectAccess() */
	ObjectTypeType kind;
	uintptr_t object;
};
extern struct found found;

#endif
