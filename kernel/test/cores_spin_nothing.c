/* SPDX-License-Identifier: MIT */
/*
 * A spinlock with lock = "nothing": tasks of the core preempt the holder. A task that would spin
 * for a lock that its core holds is refused.
 */
#include "several_cores.h"

static uint32_t urgent_runs, other_holds, let_go;

static bool other_has_it(void)
{
	return look(&other_holds);
}

/* MAIN or OTHER is inside, or no task of this core. */
TASK(URGENT)
{
	TryToGetSpinlockType success = (TryToGetSpinlockType)7;

	if (PLF_EXTENDED_STATUS && !other_has_it()) {
		REFUSED(GetSpinlock(S), E_OS_INTERFERENCE_DEADLOCK, PLF_CALL_GET_GLOBAL);
		REFUSED(TryToGetSpinlock(S, &success), E_OS_INTERFERENCE_DEADLOCK,
			PLF_CALL_TRY_TO_GET_GLOBAL);
		REFUSED(ReleaseSpinlock(S), E_OS_STATE, PLF_CALL_RELEASE_GLOBAL);
	} else {
		EXPECT(TryToGetSpinlock(S, &success), E_OK);
		EXPECT(success, TRYTOGETSPINLOCK_NOSUCCESS);
	}
	count(&urgent_runs);
	TerminateTask();
}

TASK(OTHER)
{
	EXPECT(GetSpinlock(S), E_OK);
	show(&other_holds, true);
	AWAIT(look(&let_go));
	show(&other_holds, false);
	EXPECT(ReleaseSpinlock(S), E_OK);
	TerminateTask();
}

TASK(MAIN)
{
	EXPECT(GetSpinlock(S), E_OK);
	EXPECT(ActivateTask(URGENT), E_OK);
	EXPECT(urgent_runs, 1);
	EXPECT(ReleaseSpinlock(S), E_OK);
	EXPECT(ActivateTask(OTHER), E_OK);
	AWAIT(other_has_it());
	EXPECT(ActivateTask(URGENT), E_OK);
	EXPECT(urgent_runs, 2);
	show(&let_go, true);
	EXPECT(GetSpinlock(S), E_OK);
	EXPECT(other_has_it(), false);
	EXPECT(ReleaseSpinlock(S), E_OK);
	AWAIT(state_of(OTHER) == SUSPENDED);
	ShutdownAllCores(E_OK);
}
