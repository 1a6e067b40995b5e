/* SPDX-License-Identifier: MIT */
#ifndef PLF_MIXED_GLOBAL_H
#define PLF_MIXED_GLOBAL_H

/* As plf_resource.h. The kernel refuses global resources to code in its mode. */
#include "plf_call.h"
#include "plf_global_members.h"
#include "system.h"

#define GetMPCPResource	    plf_get_mpcp_resource_of_task
#define ReleaseMPCPResource plf_release_mpcp_resource_of_task
#define GetSpinlock	    plf_get_spinlock_of_task
#define TryToGetSpinlock    plf_try_to_get_spinlock_of_task
#define ReleaseSpinlock	    plf_release_spinlock_of_task
#include PLF_GLOBAL_OF_TASKS
#undef GetMPCPResource
#undef ReleaseMPCPResource
#undef GetSpinlock
#undef TryToGetSpinlock
#undef ReleaseSpinlock

#if PLF_GLOBALS && PLF_GLOBAL_SPINS
static inline StatusType GetSpinlock(SpinlockIdType lock)
{
	if (plf_is_in_kernel())
		return (StatusType)plf_call1(PLF_CALL_GET_GLOBAL, lock).status;
	return plf_get_spinlock_of_task(lock);
}

static inline StatusType TryToGetSpinlock(SpinlockIdType lock, TryToGetSpinlockType *success)
{
	if (plf_is_in_kernel())
		return (StatusType)plf_call1(PLF_CALL_TRY_TO_GET_GLOBAL, lock).status;
	return plf_try_to_get_spinlock_of_task(lock, success);
}

static inline StatusType ReleaseSpinlock(SpinlockIdType lock)
{
	if (plf_is_in_kernel())
		return (StatusType)plf_call1(PLF_CALL_RELEASE_GLOBAL, lock).status;
	return plf_release_spinlock_of_task(lock);
}
#elif PLF_GLOBALS
static inline StatusType GetMPCPResource(ResourceType resource)
{
	if (plf_is_in_kernel())
		return (StatusType)plf_call1(PLF_CALL_GET_GLOBAL, resource).status;
	return plf_get_mpcp_resource_of_task(resource);
}

static inline StatusType ReleaseMPCPResource(ResourceType resource)
{
	if (plf_is_in_kernel())
		return (StatusType)plf_call1(PLF_CALL_RELEASE_GLOBAL, resource).status;
	return plf_release_mpcp_resource_of_task(resource);
}
#endif

#endif
