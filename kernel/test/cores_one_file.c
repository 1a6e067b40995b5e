/* SPDX-License-Identifier: MIT */
/*
 * A single file in both modes, on two cores. Tasks use global resources, and handlers are refused.
 */
#include "errors.h"

#if PLF_GLOBAL_SPINS
#define LOCK	GetSpinlock
#define UNLOCK	ReleaseSpinlock
#define LOCKS	OSServiceId_GetSpinlock
#define UNLOCKS OSServiceId_ReleaseSpinlock
#else
#define LOCK	GetMPCPResource
#define UNLOCK	ReleaseMPCPResource
#define LOCKS	OSServiceId_GetMPCPResource
#define UNLOCKS OSServiceId_ReleaseMPCPResource
#endif

static uint32_t entered, started;

static void enter(void)
{
	ALLOWED(LOCK(G));
	entered++;
	ALLOWED(UNLOCK(G));
}

/* Each core executes main(). */
int main(void)
{
	StatusType status = E_OS_STATE;

	if (GetCoreID() == OS_CORE_ID_MASTER) {
		StartCore(1, &status);
		EXPECT(status, E_OK);
	}
	StartOS(OSDEFAULTAPPMODE);
}

void StartupHook(void)
{
	__atomic_fetch_add(&started, 1, __ATOMIC_RELAXED);
	EXPECT(GetNumberOfActivatedCores(), 2);
}

void ErrorHook(StatusType status)
{
	note_error(status);
}

ISR(COMES)
{
	EXPECT(GetCoreID(), 1);
	EXPECT(GetISRID(), COMES);
	REFUSED(LOCK(G), E_OS_CALLEVEL, LOCKS);
	REFUSED(UNLOCK(G), E_OS_CALLEVEL, UNLOCKS);
#if PLF_GLOBAL_SPINS
	TryToGetSpinlockType success;

	REFUSED(TryToGetSpinlock(G, &success), E_OS_CALLEVEL, OSServiceId_TryToGetSpinlock);
#endif
	EXPECT(SetEvent(MAIN, DONE), E_OK);
}

TASK(OTHER)
{
	EXPECT(GetCoreID(), 1);
	EXPECT(GetISRID(), INVALID_ISR);
	enter();
	REFUSED(UNLOCK(G), PLF_GLOBAL_SPINS ? E_OS_STATE : E_OS_NOFUNC, UNLOCKS);
	raise_interrupts(1 << 3);
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT(GetCoreID(), 0);
	EXPECT(started, 2);
	enter();
	EXPECT(ActivateTask(OTHER), E_OK);
	EXPECT(WaitEvent(DONE), E_OK);
	enter();
	EXPECT(entered, 3);
	ShutdownAllCores(E_OK);
}
