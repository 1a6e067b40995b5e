/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_H
#define PLF_GLOBAL_H

/* GetMPCPResource and ReleaseMPCPResource as system calls. */
#include "os_calls.h"
#include "os_types.h"
#include "plf_call.h"

static inline StatusType GetMPCPResource(ResourceType resource)
{
	return (StatusType)plf_call1(PLF_CALL_GET_GLOBAL, resource).status;
}

static inline StatusType ReleaseMPCPResource(ResourceType resource)
{
	return (StatusType)plf_call1(PLF_CALL_RELEASE_GLOBAL, resource).status;
}

#endif
