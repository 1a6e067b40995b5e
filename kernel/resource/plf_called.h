/* SPDX-License-Identifier: MIT */
#ifndef PLF_CALLED_H
#define PLF_CALLED_H

/* GetResource and ReleaseResource as system calls. */
#include "os_calls.h"
#include "os_types.h"
#include "plf_call.h"

static inline StatusType GetResource(ResourceType resource)
{
	return (StatusType)plf_call1(PLF_CALL_GET_RESOURCE, resource).status;
}

static inline StatusType ReleaseResource(ResourceType resource)
{
	return (StatusType)plf_call1(PLF_CALL_RELEASE_RESOURCE, resource).status;
}

#endif
