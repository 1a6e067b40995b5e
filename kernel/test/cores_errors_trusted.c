/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "cores_errors.h"

static uint64_t parameter_of(OSServiceIdType service)
{
	switch (service) {
	case OSServiceId_ActivateTask:
		return OSError_ActivateTask_TaskID();
#if PLF_GLOBAL_SPINS
	case OSServiceId_GetSpinlock:
		return OSError_GetSpinlock_SpinlockId();
	case OSServiceId_ReleaseSpinlock:
		return OSError_ReleaseSpinlock_SpinlockId();
#else
	case OSServiceId_GetMPCPResource:
		return OSError_GetMPCPResource_ResID();
	case OSServiceId_ReleaseMPCPResource:
		return OSError_ReleaseMPCPResource_ResID();
#endif
	}
	return 0;
}

void ErrorHook(StatusType status)
{
	struct learned *own = &learned[GetCoreID()];

	(void)status;
	own->service = OSErrorGetServiceId();
	own->parameter = parameter_of(own->service);
	own->errors++;
}
