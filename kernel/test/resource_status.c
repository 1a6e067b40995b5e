/* SPDX-License-Identifier: MIT */
/* The answers of GetResource and ReleaseResource in extended status: OSEK 2.2.3, 13.4.3. */
#include "check.h"

#define NOT_GOT(resource, status) REFUSED(GetResource(resource), status, PLF_CALL_GET_RESOURCE)
#define NOT_RELEASED(resource, status)                                                             \
	REFUSED(ReleaseResource(resource), status, PLF_CALL_RELEASE_RESOURCE)

/* More urgent than its ceiling: the static priority says that it is none of the users. */
TASK(HIGH)
{
	NOT_GOT(OWN, E_OS_ACCESS);
	NOT_GOT(BELOW, E_OS_ACCESS);
	ALLOWED(GetResource(TOP));
	NOT_GOT(TOP, E_OS_ACCESS);
	mark('H');
	ALLOWED(ReleaseResource(TOP));
	TerminateTask();
}

/* The one that was entered last, and no other, is to be released. */
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

/* AUTOSAR, SWS_Os_00093. Nothing happens, and all goes on where interrupts are let through. */
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

TASK(OTHER)
{
	TerminateTask();
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
	/* Between what it uses, and none of it. */
	NOT_GOT(OTHERS, E_OS_ACCESS);
	NOT_RELEASED(OTHERS, E_OS_NOFUNC);
	masked();
	nest();
	nest();
	EXPECT_TRAIL("1H21H2");
	TerminateTask();
}

/* It keeps nothing of what it preempted, and nothing of its section is lost by a preemption. */
TASK(WAITER)
{
	ALLOWED(GetResource(OWN));
	REFUSED(WaitEvent(EV), E_OS_RESOURCE, PLF_CALL_WAIT_EVENT);
	REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	ALLOWED(ActivateTask(HIGH));
	EXPECT_TRAIL("H");
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
