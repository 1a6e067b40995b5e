/* SPDX-License-Identifier: MIT */
/*
 * The status of a resource that a task does not reach. E_OS_CORE: the resource belongs to another
 * core, and the service is for resources of a single core (AUTOSAR, SWS_Os_00589). Otherwise
 * E_OS_ACCESS, or E_OS_ID for a resource of the other kind. If resources are no system calls,
 * extended status only.
 */
#include "plf_global_members.h"
#include "several_cores.h"

#if PLF_GLOBAL_SPINS
#define GET(resource)	  GetSpinlock(resource)
#define RELEASE(resource) ReleaseSpinlock(resource)
#else
#define GET(resource)	  GetMPCPResource(resource)
#define RELEASE(resource) ReleaseMPCPResource(resource)
#endif

TASK(NEIGHBOUR)
{
	TerminateTask();
}

/* The same from the other core, to which HERE does not belong. */
TASK(FIRST)
{
	EXPECT(GetResource(HERE), E_OS_CORE);
	EXPECT(ReleaseResource(HERE), E_OS_CORE);
	EXPECT(GetResource(THERE), E_OK);
	EXPECT(GetResource(HERE), E_OS_CORE);
	EXPECT(ReleaseResource(HERE), E_OS_CORE);
	EXPECT(ReleaseResource(THERE), E_OK);
	EXPECT(test.errors, 4);
	test.errors = 0;
	TerminateTask();
}

TASK(SECOND)
{
	TerminateTask();
}

static void get(void)
{
	REFUSED(GetResource(THERE), E_OS_CORE, PLF_CALL_GET_RESOURCE);
	REFUSED(GetResource(BESIDE), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	REFUSED(GetResource(NOBODYS), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	REFUSED(GetResource(GLOBAL), E_OS_ID, PLF_CALL_GET_RESOURCE);
	REFUSED(GetResource(OTHERS), E_OS_ID, PLF_CALL_GET_RESOURCE);
}

static void release(void)
{
	REFUSED(ReleaseResource(THERE), E_OS_CORE, PLF_CALL_RELEASE_RESOURCE);
	REFUSED(ReleaseResource(BESIDE), E_OS_NOFUNC, PLF_CALL_RELEASE_RESOURCE);
	REFUSED(ReleaseResource(NOBODYS), E_OS_NOFUNC, PLF_CALL_RELEASE_RESOURCE);
	REFUSED(ReleaseResource(OTHERS), E_OS_ID, PLF_CALL_RELEASE_RESOURCE);
}

static void global(void)
{
	REFUSED(GET(OTHERS), E_OS_ACCESS, PLF_CALL_GET_GLOBAL);
	REFUSED(GET(THERE), E_OS_ID, PLF_CALL_GET_GLOBAL);
	REFUSED(GET(HERE), E_OS_ID, PLF_CALL_GET_GLOBAL);
	REFUSED(RELEASE(OTHERS), PLF_GLOBAL_SPINS ? E_OS_ACCESS : E_OS_NOFUNC,
		PLF_CALL_RELEASE_GLOBAL);
	REFUSED(RELEASE(THERE), E_OS_ID, PLF_CALL_RELEASE_GLOBAL);
}

TASK(MAIN)
{
	ALLOWED(GetResource(HERE));
	get();
	ALLOWED(ReleaseResource(HERE));
	get();
	release();
	global();
	ALLOWED(GET(GLOBAL));
	get();
	release();
	ALLOWED(RELEASE(GLOBAL));
	EXPECT(ActivateTask(FIRST), E_OK); /* FIRST makes errors, so no ALLOWED() */
	AWAIT(state_of(FIRST) == SUSPENDED);
	ShutdownAllCores(E_OK);
}
