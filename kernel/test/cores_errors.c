/* SPDX-License-Identifier: MIT */
/* ErrorHook runs on the core of the error, also for global resources, which are user code. */
#include "cores_errors.h"
#include "several_cores.h"

struct learned learned[PLF_CPUS];
static uint32_t has_failed;

#if PLF_GLOBAL_SPINS
#define GET(resource)	  GetSpinlock(resource)
#define RELEASE(resource) ReleaseSpinlock(resource)
enum { GETS = OSServiceId_GetSpinlock, RELEASES = OSServiceId_ReleaseSpinlock };
enum { NOT_HELD = E_OS_STATE };
#else
#define GET(resource)	  GetMPCPResource(resource)
#define RELEASE(resource) ReleaseMPCPResource(resource)
enum { GETS = OSServiceId_GetMPCPResource, RELEASES = OSServiceId_ReleaseMPCPResource };
enum { NOT_HELD = E_OS_NOFUNC };
#endif

static void expect(StatusType found, StatusType status, OSServiceIdType service, uint64_t parameter)
{
	const struct learned *own = &learned[GetCoreID()];

	EXPECT(found, status);
	EXPECT(own->service, service);
	EXPECT(own->parameter, parameter);
}

TASK(SECOND)
{
	expect(GET(98), E_OS_ID, GETS, 98);
	expect(RELEASE(G), NOT_HELD, RELEASES, G);
	expect(ActivateTask(97), E_OS_ID, OSServiceId_ActivateTask, 97);
	show(&has_failed, true);
	TerminateTask();
}

TASK(FIRST)
{
	expect(GET(99), E_OS_ID, GETS, 99);
	AWAIT(look(&has_failed));
	EXPECT(learned[0].parameter, 99);
	EXPECT(learned[1].parameter, 97);
	EXPECT(learned[0].errors, 1);
	EXPECT(learned[1].errors, 3);
	ShutdownAllCores(E_OK);
}
