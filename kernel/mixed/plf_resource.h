/* SPDX-License-Identifier: MIT */
#ifndef PLF_MIXED_RESOURCE_H
#define PLF_MIXED_RESOURCE_H

/* User mode uses the protocol. The kernel's mode has no words, so its services are system calls. */
#include "plf_call.h"
#include "system.h"

#define GetResource	plf_get_resource_of_task
#define ReleaseResource plf_release_resource_of_task
#include PLF_RESOURCE_OF_TASKS
#undef GetResource
#undef ReleaseResource

static inline StatusType GetResource(ResourceType resource)
{
	if (plf_is_in_kernel())
		return (StatusType)plf_call1(PLF_CALL_GET_RESOURCE, resource).status;
	return plf_get_resource_of_task(resource);
}

static inline StatusType ReleaseResource(ResourceType resource)
{
	if (plf_is_in_kernel())
		return (StatusType)plf_call1(PLF_CALL_RELEASE_RESOURCE, resource).status;
	return plf_release_resource_of_task(resource);
}

#endif
