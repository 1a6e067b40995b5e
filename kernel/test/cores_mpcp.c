/* SPDX-License-Identifier: MIT */
/*
 * MPCP, Mueller 2014, Section VII.A. The most urgent waiter is next, on any core, and resumes at
 * the ceiling. When it leaves the section, it gives way to the task that its section preempted. A
 * task that ends inside leaves the section. Also the errors.
 */
#include "several_cores.h"

static uint32_t urgent_runs, near_runs, is_over;

static void pass(char letter)
{
	EXPECT(GetMPCPResource(G), E_OK);
	mark(letter);
	EXPECT(ReleaseMPCPResource(G), E_OK);
	TerminateTask();
}

TASK(FIFTH)
{
	pass('5');
}

TASK(NINTH)
{
	pass('9');
}

TASK(SEVENTH)
{
	pass('7');
}

static void start_and_see_waiting(TaskType task)
{
	ALLOWED(ActivateTask(task));
	AWAIT(state_of(task) == WAITING);
}

static void order(void)
{
	ALLOWED(GetMPCPResource(G));
	start_and_see_waiting(FIFTH);
	start_and_see_waiting(NINTH);
	start_and_see_waiting(SEVENTH);
	mark('m');
	ALLOWED(ReleaseMPCPResource(G));
	AWAIT(state_of(FIFTH) == SUSPENDED);
	EXPECT_TRAIL("m975");
}

/* URGENT keeps its core from LOW and PEER, but not from LOW's section. */
TASK(URGENT)
{
	show(&urgent_runs, true);
	AWAIT(look(&is_over));
	mark('u');
	TerminateTask();
}

TASK(LOW)
{
	EXPECT(GetMPCPResource(G), E_OK);
	mark('s');
	show(&is_over, true);
	for (unsigned i = 0; i < 20; i++)
		plf_relax();
	mark('t');
	EXPECT(ReleaseMPCPResource(G), E_OK);
	mark('l');
	TerminateTask();
}

TASK(PEER)
{
	mark('p');
	TerminateTask();
}

static void ceiling(void)
{
	ALLOWED(GetMPCPResource(G));
	start_and_see_waiting(LOW);
	ALLOWED(ActivateTask(URGENT));
	AWAIT(look(&urgent_runs));
	ALLOWED(ActivateTask(PEER));
	ALLOWED(ReleaseMPCPResource(G));
	AWAIT(state_of(PEER) == SUSPENDED);
	EXPECT_TRAIL("stulp");
}

/* In standard status the task ends in two sections. */
TASK(ENDS)
{
	EXPECT(GetMPCPResource(G), E_OK);
	mark('e');
	if (PLF_EXTENDED_STATUS) {
		EXPECT(TerminateTask(), E_OS_RESOURCE);
		EXPECT(ReleaseMPCPResource(G), E_OK);
	} else {
		EXPECT(GetMPCPResource(H), E_OK);
	}
	TerminateTask();
}

static void end_inside(void)
{
	ALLOWED(GetMPCPResource(G));
	start_and_see_waiting(FIFTH);
	start_and_see_waiting(ENDS);
	EXPECT(ReleaseMPCPResource(G), E_OK);
	AWAIT(state_of(FIFTH) == SUSPENDED);
	EXPECT_TRAIL("e5");
	test.errors = 0; /* errors of ENDS */
	ALLOWED(GetMPCPResource(H));
	ALLOWED(ReleaseMPCPResource(H));
}

/* Local sections nest in global ones. */
static void nest(void)
{
	ALLOWED(GetMPCPResource(G));
	ALLOWED(GetResource(R));
	if (PLF_EXTENDED_STATUS)
		REFUSED(ReleaseMPCPResource(G), E_OS_NOFUNC, PLF_CALL_RELEASE_GLOBAL);
	ALLOWED(ReleaseResource(R));
	ALLOWED(ReleaseMPCPResource(G));
}

/* A task of MAIN's core. */
TASK(NEAR)
{
	near_runs++;
	TerminateTask();
}

/* NEAR runs at once if MAIN is not raised. */
static void near_runs_at_once(void)
{
	uint32_t before = near_runs;

	ALLOWED(ActivateTask(NEAR));
	EXPECT(near_runs, before + 1);
}

/* The kernel's own checks, in both kinds of status. */
static void refuse_calls(void)
{
	REFUSED((StatusType)plf_call1(PLF_CALL_GET_GLOBAL, OTHERS).status, E_OS_ACCESS,
		PLF_CALL_GET_GLOBAL);
	REFUSED((StatusType)plf_call1(PLF_CALL_GET_GLOBAL, R).status, E_OS_ID, PLF_CALL_GET_GLOBAL);
	REFUSED((StatusType)plf_call2(PLF_CALL_RELEASE_GLOBAL, R, 0).status, E_OS_ID,
		PLF_CALL_RELEASE_GLOBAL);
	near_runs_at_once();
}

static void refuse_inside(void)
{
	REFUSED(GetMPCPResource(G), E_OS_ACCESS, PLF_CALL_GET_GLOBAL);
	REFUSED(GetMPCPResource(H), E_OS_RESOURCE, PLF_CALL_GET_GLOBAL);
	REFUSED(ReleaseMPCPResource(H), E_OS_NOFUNC, PLF_CALL_RELEASE_GLOBAL);
	REFUSED(WaitEvent(NEVER), E_OS_RESOURCE, PLF_CALL_WAIT_EVENT);
	REFUSED(Schedule(), E_OS_RESOURCE, PLF_CALL_SCHEDULE);
	REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	REFUSED(ChainTask(FIFTH), E_OS_RESOURCE, PLF_CALL_CHAIN_TASK);
}

static void refuse(void)
{
	REFUSED(GetMPCPResource(PLF_RESOURCES + PLF_GLOBALS), E_OS_ID, PLF_CALL_GET_GLOBAL);
	REFUSED(GetMPCPResource(R), E_OS_ID, PLF_CALL_GET_GLOBAL);
	REFUSED(GetResource(G), E_OS_ID, PLF_CALL_GET_RESOURCE);
	REFUSED(GetMPCPResource(OTHERS), E_OS_ACCESS, PLF_CALL_GET_GLOBAL);
	REFUSED(ReleaseMPCPResource(R), E_OS_ID, PLF_CALL_RELEASE_GLOBAL);
	REFUSED(ReleaseMPCPResource(G), E_OS_NOFUNC, PLF_CALL_RELEASE_GLOBAL);
	ALLOWED(GetResource(R));
	REFUSED(GetMPCPResource(G), E_OS_RESOURCE, PLF_CALL_GET_GLOBAL);
	ALLOWED(ReleaseResource(R));
	DisableAllInterrupts();
	REFUSED(GetMPCPResource(G), E_OS_DISABLEDINT, PLF_CALL_GET_GLOBAL);
	REFUSED(ReleaseMPCPResource(G), E_OS_DISABLEDINT, PLF_CALL_RELEASE_GLOBAL);
	EnableAllInterrupts();
	near_runs_at_once();
}

/* MAIN stays in its section at the ceiling, whichever call is refused. */
static void refuse_holder(void)
{
	uint32_t before = near_runs;

	ALLOWED(GetMPCPResource(G));
	start_and_see_waiting(FIFTH);
	refuse_inside();
	EXPECT(state_of(FIFTH), WAITING);
	ALLOWED(ActivateTask(NEAR));
	EXPECT(near_runs, before);
	ALLOWED(ReleaseMPCPResource(G));
	EXPECT(near_runs, before + 1);
	AWAIT(state_of(FIFTH) == SUSPENDED);
	EXPECT_TRAIL("5");
}

TASK(MAIN)
{
	for (unsigned round = 0; round < 3; round++) {
		urgent_runs = is_over = false;
		order();
		ceiling();
		end_inside();
		nest();
		refuse_calls();
		if (PLF_EXTENDED_STATUS) {
			refuse();
			refuse_holder();
		}
	}
	ShutdownAllCores(E_OK);
}
