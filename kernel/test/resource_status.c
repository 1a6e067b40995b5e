/* SPDX-License-Identifier: MIT */
/* The answers of GetResource and ReleaseResource in extended status: OSEK 2.2.3, 13.4.3. */
#include "check.h"
#include "plf_words.h"

/* Whether a ceiling or a floor keeps out tasks that do not use the resource. */
#ifdef PLF_INHERITS
enum { KEEPS_OUT = false };
#else
enum { KEEPS_OUT = true };
#endif

#define NOT_GOT(resource, status) REFUSED(GetResource(resource), status, PLF_CALL_GET_RESOURCE)
#define NOT_RELEASED(resource, status)                                                             \
	REFUSED(ReleaseResource(resource), status, PLF_CALL_RELEASE_RESOURCE)

static TaskStateType waiter; /* state of WAITER, as HIGH found it */

/* HIGH is more urgent than the ceiling: its static priority shows that it is no user. */
TASK(HIGH)
{
	NOT_GOT(OWN, E_OS_ACCESS);
	NOT_GOT(BELOW, E_OS_ACCESS);
	ALLOWED(GetResource(TOP));
	NOT_GOT(TOP, E_OS_ACCESS);
	mark('H');
	ALLOWED(ReleaseResource(TOP));
	ALLOWED(GetTaskState(WAITER, &waiter));
	TerminateTask();
}

/* Only the resource that was entered last may be released. */
static void nest(void)
{
	ALLOWED(GetResource(OWN));
	NOT_GOT(OWN, E_OS_ACCESS);
	NOT_RELEASED(TOP, E_OS_NOFUNC);
	ALLOWED(GetResource(TOP));
	NOT_GOT(OWN, E_OS_ACCESS);
	NOT_GOT(TOP, E_OS_ACCESS);
	NOT_RELEASED(OWN, E_OS_NOFUNC);
	ALLOWED(ActivateTask(HIGH));
	mark('1');
	ALLOWED(ReleaseResource(TOP));
	mark('2');
	NOT_RELEASED(TOP, E_OS_NOFUNC);
	ALLOWED(ReleaseResource(OWN));
	NOT_RELEASED(OWN, E_OS_NOFUNC);
}

/*
 * AUTOSAR, SWS_Os_00093. The calls have no effect, and work again when interrupts are let through.
 */
static void masked(void)
{
	SuspendAllInterrupts();
	NOT_GOT(OWN, E_OS_DISABLEDINT);
	NOT_GOT(PLF_RESOURCES, E_OS_DISABLEDINT);
	ResumeAllInterrupts();
	ALLOWED(GetResource(OWN));
	DisableAllInterrupts();
	NOT_RELEASED(OWN, E_OS_DISABLEDINT);
	NOT_GOT(TOP, E_OS_DISABLEDINT);
	EnableAllInterrupts();
	SuspendOSInterrupts();
	NOT_RELEASED(OWN, E_OS_DISABLEDINT);
	ResumeOSInterrupts();
	ALLOWED(ReleaseResource(OWN));
}

/* OTHER is above MAIN, and below TOP. */
TASK(OTHER)
{
	mark('O');
	TerminateTask();
}

/* A refused call raises no task, so OTHER runs at once. */
static void stay_outside(void)
{
	NOT_GOT(OTHERS, E_OS_ACCESS);
	DisableAllInterrupts();
	NOT_GOT(TOP, E_OS_DISABLEDINT);
	EnableAllInterrupts();
	ALLOWED(ActivateTask(OTHER));
	EXPECT_TRAIL("O");
}

/* A refused call lowers no task, so OTHER runs after the section. */
static void stay_inside(void)
{
	ALLOWED(GetResource(OWN));
	ALLOWED(GetResource(TOP));
	DisableAllInterrupts();
	NOT_RELEASED(TOP, E_OS_DISABLEDINT);
	EnableAllInterrupts();
	NOT_RELEASED(OWN, E_OS_NOFUNC);
	NOT_GOT(TOP, E_OS_ACCESS);
	REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	REFUSED(Schedule(), E_OS_RESOURCE, PLF_CALL_SCHEDULE);
	REFUSED(ChainTask(OTHER), E_OS_RESOURCE, PLF_CALL_CHAIN_TASK);
	ALLOWED(ActivateTask(OTHER));
	mark('1');
	ALLOWED(ReleaseResource(TOP));
	mark('2');
	NOT_GOT(OWN, E_OS_ACCESS); /* no case puts it above MAIN's level */
	ALLOWED(ActivateTask(OTHER));
	ALLOWED(ReleaseResource(OWN));
	EXPECT_TRAIL(KEEPS_OUT ? "1O2O" : "O12O");
}

TASK(MAIN)
{
	NOT_GOT(PLF_RESOURCES, E_OS_ID);
	NOT_GOT(0xff, E_OS_ID);
	NOT_RELEASED(PLF_RESOURCES, E_OS_ID);
	NOT_RELEASED(0xff, E_OS_ID);
	NOT_RELEASED(OWN, E_OS_NOFUNC);
	NOT_GOT(BELOW, E_OS_ACCESS);
	NOT_RELEASED(BELOW, E_OS_NOFUNC);
	/* A number between its resources, but not of its resources. */
	NOT_GOT(OTHERS, E_OS_ACCESS);
	NOT_RELEASED(OTHERS, E_OS_NOFUNC);
	masked();
	stay_outside();
	stay_inside();
	nest();
	nest();
	EXPECT_TRAIL("1H21H2");
	TerminateTask();
}

/* WAITER gets nothing from the preempted task, and a preemption does not change its section. */
TASK(WAITER)
{
	ALLOWED(GetResource(OWN));
	REFUSED(WaitEvent(EV), E_OS_RESOURCE, PLF_CALL_WAIT_EVENT);
	REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	ALLOWED(ActivateTask(HIGH));
	EXPECT_TRAIL("H");
	EXPECT(waiter, READY); /* the refused call has not changed it */
	REFUSED(Schedule(), E_OS_RESOURCE, PLF_CALL_SCHEDULE);
	NOT_GOT(OWN, E_OS_ACCESS);
	ALLOWED(ReleaseResource(OWN));
	ALLOWED(WaitEvent(EV));
	NOT_RELEASED(OWN, E_OS_NOFUNC);
	mark('W');
	TerminateTask();
}

TASK(LOW)
{
	NOT_GOT(OWN, E_OS_ACCESS);
	NOT_GOT(TOP, E_OS_ACCESS);
	ALLOWED(GetResource(BELOW));
	ALLOWED(SetEvent(WAITER, EV));
	EXPECT_TRAIL("W");
	REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	ALLOWED(ReleaseResource(BELOW));
	ShutdownOS(E_OK);
}
