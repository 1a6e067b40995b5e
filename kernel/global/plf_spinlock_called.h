/* SPDX-License-Identifier: MIT */
#ifndef PLF_GLOBAL_H
#define PLF_GLOBAL_H

/* The spinlock services as system calls, for trusted code. The kernel refuses them. */
#include "os_calls.h"
#include "os_types.h"
#include "plf_call.h"

static inline StatusType GetSpinlock(SpinlockIdType lock)
{
	return (StatusType)plf_call1(PLF_CALL_GET_GLOBAL, lock).status;
}

static inline StatusType TryToGetSpinlock(SpinlockIdType lock, TryToGetSpinlockType *success)
{
	(void)success;
	return (StatusType)plf_call1(PLF_CALL_TRY_TO_GET_GLOBAL, lock).status;
}

static inline StatusType ReleaseSpinlock(SpinlockIdType lock)
{
	return (StatusType)plf_call1(PLF_CALL_RELEASE_GLOBAL, lock).status;
}

#endif
