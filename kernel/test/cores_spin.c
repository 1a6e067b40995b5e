/* SPDX-License-Identifier: MIT */
/*
 * AUTOSAR's spinlocks, in whatever order they let cores in. No task of the core preempts a holder.
 * TryToGetSpinlock() does not wait. Sections nest along successors, inside resources and around
 * them. A task that ends inside leaves the section. Also the errors.
 */
#include "several_cores.h"

static uint32_t urgent_runs, above_runs, holds, let_go, ends_inside, ends_begun;

TASK(URGENT)
{
	EXPECT(GetResource(R), E_OK);
	count(&urgent_runs);
	EXPECT(ReleaseResource(R), E_OK);
	TerminateTask();
}

/* ABOVE uses no resources. */
TASK(ABOVE)
{
	count(&above_runs);
	TerminateTask();
}

TASK(NEIGHBOUR)
{
	TerminateTask();
}

TASK(HOLDS)
{
	EXPECT(GetSpinlock(S), E_OK);
	show(&holds, true);
	AWAIT(look(&let_go));
	show(&holds, false);
	EXPECT(ReleaseSpinlock(S), E_OK);
	TerminateTask();
}

/* Activates URGENT, which must run at once, or must not. */
static void activate_urgent(bool at_once)
{
	uint32_t before = urgent_runs;

	ALLOWED(ActivateTask(URGENT));
	EXPECT(urgent_runs, before + at_once);
}

/* URGENT runs when the section is over. */
static void keep_urgent_out(SpinlockIdType lock)
{
	uint32_t before = urgent_runs;

	activate_urgent(false);
	ALLOWED(ReleaseSpinlock(lock));
	EXPECT(urgent_runs, before + 1);
}

static TryToGetSpinlockType try_to_get(SpinlockIdType lock)
{
	TryToGetSpinlockType success = (TryToGetSpinlockType)7;

	ALLOWED(TryToGetSpinlock(lock, &success));
	return success;
}

static void one_core(void)
{
	ALLOWED(GetSpinlock(S));
	keep_urgent_out(S);
	EXPECT(try_to_get(S), TRYTOGETSPINLOCK_SUCCESS);
	keep_urgent_out(S);
	activate_urgent(true);
}

static void other_core_holds(void)
{
	let_go = false;
	ALLOWED(ActivateTask(HOLDS));
	AWAIT(look(&holds));
	EXPECT(try_to_get(S), TRYTOGETSPINLOCK_NOSUCCESS);
	activate_urgent(true);
	EXPECT(try_to_get(APART), TRYTOGETSPINLOCK_SUCCESS);
	keep_urgent_out(APART);
	show(&let_go, true);
	ALLOWED(GetSpinlock(S));
	EXPECT(look(&holds), false);
	keep_urgent_out(S);
	AWAIT(state_of(HOLDS) == SUSPENDED);
}

/* The section of the outer lock keeps URGENT out until its end. W is a successor of T. */
static void nest(void)
{
	ALLOWED(GetSpinlock(S));
	activate_urgent(false);
	ALLOWED(GetSpinlock(T));
	EXPECT(try_to_get(W), TRYTOGETSPINLOCK_SUCCESS);
	ALLOWED(GetResource(R));
	ALLOWED(ReleaseResource(R));
	ALLOWED(ReleaseSpinlock(W));
	ALLOWED(ReleaseSpinlock(T));
	ALLOWED(GetSpinlock(W));
	ALLOWED(ReleaseSpinlock(W));
	EXPECT(urgent_runs, 0);
	ALLOWED(ReleaseSpinlock(S));
	EXPECT(urgent_runs, 1);
}

static void activate_above(void)
{
	ALLOWED(ActivateTask(ABOVE));
	EXPECT(above_runs, 0);
}

/* The section of R outlasts the sections of the locks, and keeps out the same tasks. */
static void nest_in_resource(void)
{
	above_runs = 0;
	ALLOWED(GetResource(R));
	ALLOWED(GetSpinlock(S));
	activate_above();
	ALLOWED(GetSpinlock(T));
	ALLOWED(ReleaseSpinlock(T));
	ALLOWED(ReleaseSpinlock(S));
	activate_urgent(false);
	EXPECT(try_to_get(APART), TRYTOGETSPINLOCK_SUCCESS);
	ALLOWED(ReleaseSpinlock(APART));
	EXPECT(above_runs, 0);
	EXPECT(urgent_runs, 1);
	ALLOWED(ReleaseResource(R));
	EXPECT(above_runs, 1);
	EXPECT(urgent_runs, 2);
}

/* A resource inside a lock inside a resource, and inside another lock. */
static void nest_in_turn(void)
{
	above_runs = 0;
	ALLOWED(GetResource(OUTER));
	ALLOWED(GetSpinlock(S));
	ALLOWED(GetResource(R));
	ALLOWED(GetSpinlock(T));
	activate_above();
	ALLOWED(ReleaseSpinlock(T));
	ALLOWED(ReleaseResource(R));
	ALLOWED(ReleaseSpinlock(S));
	EXPECT(above_runs, 0);
	ALLOWED(ReleaseResource(OUTER));
	EXPECT(above_runs, 1);
}

/* ENDS returns without TerminateTask(), which extended status refuses there. */
TASK(ENDS)
{
	EXPECT(GetResource(OF_ENDS), E_OK);
	EXPECT(GetSpinlock(S), E_OK);
	EXPECT(GetSpinlock(T), E_OK);
	show(&ends_inside, true);
	count(&ends_begun);
	for (unsigned i = 0; i < 20; i++)
		plf_relax();
	show(&ends_inside, false);
	if (!PLF_EXTENDED_STATUS)
		TerminateTask();
}

static void end_inside(void)
{
	uint32_t before = look(&ends_begun);

	EXPECT(ActivateTask(ENDS), E_OK);
	AWAIT(look(&ends_begun) > before);
	EXPECT(GetSpinlock(S), E_OK);
	EXPECT(look(&ends_inside), false);
	EXPECT(GetSpinlock(T), E_OK);
	EXPECT(ReleaseSpinlock(T), E_OK);
	EXPECT(ReleaseSpinlock(S), E_OK);
	AWAIT(state_of(ENDS) == SUSPENDED);
	EXPECT(test.errors, PLF_EXTENDED_STATUS);
	test.errors = 0;
}

/* ---- Extended status ----------------------------------------------------------- */

static void refuse_outside(void)
{
	TryToGetSpinlockType success;

	REFUSED(GetSpinlock(PLF_RESOURCES + PLF_GLOBALS), E_OS_ID, PLF_CALL_GET_GLOBAL);
	REFUSED(GetSpinlock(R), E_OS_ID, PLF_CALL_GET_GLOBAL);
	REFUSED(GetSpinlock(INVALID_SPINLOCK), E_OS_ID, PLF_CALL_GET_GLOBAL);
	REFUSED(GetSpinlock(OTHERS), E_OS_ACCESS, PLF_CALL_GET_GLOBAL);
	REFUSED(TryToGetSpinlock(R, &success), E_OS_ID, PLF_CALL_TRY_TO_GET_GLOBAL);
	REFUSED(TryToGetSpinlock(OTHERS, &success), E_OS_ACCESS, PLF_CALL_TRY_TO_GET_GLOBAL);
	REFUSED(TryToGetSpinlock(S, NULL), E_OS_PARAM_POINTER, PLF_CALL_TRY_TO_GET_GLOBAL);
	REFUSED(ReleaseSpinlock(R), E_OS_ID, PLF_CALL_RELEASE_GLOBAL);
	REFUSED(ReleaseSpinlock(OTHERS), E_OS_ACCESS, PLF_CALL_RELEASE_GLOBAL);
	REFUSED(ReleaseSpinlock(S), E_OS_STATE, PLF_CALL_RELEASE_GLOBAL);
	REFUSED(GetResource(S), E_OS_ID, PLF_CALL_GET_RESOURCE);
	REFUSED(ReleaseResource(S), E_OS_ID, PLF_CALL_RELEASE_RESOURCE);
}

static void refuse_masked(void)
{
	TryToGetSpinlockType success;

	DisableAllInterrupts();
	REFUSED(GetSpinlock(S), E_OS_DISABLEDINT, PLF_CALL_GET_GLOBAL);
	REFUSED(TryToGetSpinlock(S, &success), E_OS_DISABLEDINT, PLF_CALL_TRY_TO_GET_GLOBAL);
	REFUSED(ReleaseSpinlock(S), E_OS_DISABLEDINT, PLF_CALL_RELEASE_GLOBAL);
	EnableAllInterrupts();
}

static void refuse_to_end(StatusType status)
{
	REFUSED(WaitEvent(NEVER), status, PLF_CALL_WAIT_EVENT);
	REFUSED(Schedule(), status, PLF_CALL_SCHEDULE);
	REFUSED(TerminateTask(), status, PLF_CALL_TERMINATE_TASK);
	REFUSED(ChainTask(NEIGHBOUR), status, PLF_CALL_CHAIN_TASK);
}

/* The innermost section is that of S, and later that of R again. */
static void refuse_in_resource(void)
{
	TryToGetSpinlockType success;

	ALLOWED(GetResource(R));
	ALLOWED(GetResource(OUTER));
	ALLOWED(GetSpinlock(S));
	REFUSED(ReleaseResource(OUTER), E_OS_NOFUNC, PLF_CALL_RELEASE_RESOURCE);
	REFUSED(GetResource(OUTER), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	REFUSED(GetResource(R), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	REFUSED(GetSpinlock(APART), E_OS_NESTING_DEADLOCK, PLF_CALL_GET_GLOBAL);
	refuse_to_end(E_OS_SPINLOCK);
	ALLOWED(GetSpinlock(T));
	REFUSED(GetResource(R), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	ALLOWED(ReleaseSpinlock(T));
	ALLOWED(ReleaseSpinlock(S));
	refuse_to_end(E_OS_RESOURCE);
	REFUSED(ReleaseSpinlock(S), E_OS_STATE, PLF_CALL_RELEASE_GLOBAL);
	REFUSED(TryToGetSpinlock(OTHERS, &success), E_OS_ACCESS, PLF_CALL_TRY_TO_GET_GLOBAL);
	ALLOWED(ReleaseResource(OUTER));
	ALLOWED(ReleaseResource(R));
}

/* The innermost section is that of R, and later that of S. */
static void refuse_inside(void)
{
	TryToGetSpinlockType success;

	ALLOWED(GetSpinlock(S));
	REFUSED(GetSpinlock(S), E_OS_INTERFERENCE_DEADLOCK, PLF_CALL_GET_GLOBAL);
	REFUSED(TryToGetSpinlock(S, &success), E_OS_INTERFERENCE_DEADLOCK,
		PLF_CALL_TRY_TO_GET_GLOBAL);
	REFUSED(GetSpinlock(APART), E_OS_NESTING_DEADLOCK, PLF_CALL_GET_GLOBAL);
	REFUSED(TryToGetSpinlock(APART, &success), E_OS_NESTING_DEADLOCK,
		PLF_CALL_TRY_TO_GET_GLOBAL);
	REFUSED(ReleaseSpinlock(T), E_OS_STATE, PLF_CALL_RELEASE_GLOBAL);
	refuse_to_end(E_OS_SPINLOCK);
	ALLOWED(GetResource(R));
	REFUSED(ReleaseSpinlock(S), E_OS_NOFUNC, PLF_CALL_RELEASE_GLOBAL);
	REFUSED(GetSpinlock(APART), E_OS_NESTING_DEADLOCK, PLF_CALL_GET_GLOBAL);
	REFUSED(TryToGetSpinlock(APART, &success), E_OS_NESTING_DEADLOCK,
		PLF_CALL_TRY_TO_GET_GLOBAL);
	REFUSED(GetResource(R), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	refuse_to_end(E_OS_RESOURCE);
	ALLOWED(ReleaseResource(R));
	refuse_to_end(E_OS_SPINLOCK);
	ALLOWED(ActivateTask(HOLDS));
	for (unsigned i = 0; i < 20; i++)
		plf_relax();
	EXPECT(look(&holds), false);
	keep_urgent_out(S);
	AWAIT(state_of(HOLDS) == SUSPENDED);
}

static void refuse_nesting(void)
{
	ALLOWED(GetSpinlock(S));
	ALLOWED(GetSpinlock(W));
	REFUSED(GetSpinlock(T), E_OS_NESTING_DEADLOCK, PLF_CALL_GET_GLOBAL);
	REFUSED(ReleaseSpinlock(S), E_OS_NOFUNC, PLF_CALL_RELEASE_GLOBAL);
	ALLOWED(ReleaseSpinlock(W));
	ALLOWED(ReleaseSpinlock(S));
	ALLOWED(GetSpinlock(T));
	REFUSED(GetSpinlock(S), E_OS_NESTING_DEADLOCK, PLF_CALL_GET_GLOBAL);
	ALLOWED(ReleaseSpinlock(T));
	REFUSED(ReleaseSpinlock(T), E_OS_STATE, PLF_CALL_RELEASE_GLOBAL);
}

/* After each of these calls MAIN is outside of sections, and not raised. */
static void refuse(void)
{
	refuse_outside();
	activate_urgent(true);
	refuse_masked();
	activate_urgent(true);
	refuse_in_resource();
	activate_urgent(true);
	refuse_inside();
	refuse_nesting();
	activate_urgent(true);
}

/* The services are no system calls. */
static void call_them(void)
{
	REFUSED((StatusType)plf_call1(PLF_CALL_GET_GLOBAL, S).status, E_OS_SERVICEID,
		PLF_CALL_GET_GLOBAL);
	REFUSED((StatusType)plf_call1(PLF_CALL_RELEASE_GLOBAL, S).status, E_OS_SERVICEID,
		PLF_CALL_RELEASE_GLOBAL);
	REFUSED((StatusType)plf_call1(PLF_CALL_TRY_TO_GET_GLOBAL, S).status, E_OS_SERVICEID,
		PLF_CALL_TRY_TO_GET_GLOBAL);
}

TASK(MAIN)
{
	for (unsigned round = 0; round < 3; round++) {
		urgent_runs = 0;
		nest();
		nest_in_resource();
		nest_in_turn();
		one_core();
		other_core_holds();
		end_inside();
		if (PLF_EXTENDED_STATUS)
			refuse();
		call_them();
	}
	raise_interrupts(1 << 3);
	EXPECT(test.errors, 3);
	EXPECT(test.error, E_OS_CALLEVEL);
	ShutdownAllCores(E_OK);
}
