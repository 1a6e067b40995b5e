/* SPDX-License-Identifier: MIT */
#include "errors.h"
#include "isr_resources.h"

static void lock_once(void)
{
	ALLOWED(GetResource(R));
	ALLOWED(GetResource(S));
	ALLOWED(ReleaseResource(S));
	ALLOWED(GetResource(S));
	ALLOWED(ReleaseResource(S));
	ALLOWED(ReleaseResource(R));
}

static void refuse_get(ResourceType resource, StatusType status)
{
	REFUSED(GetResource(resource), status, PLF_CALL_GET_RESOURCE);
}

static void refuse_release(ResourceType resource, StatusType status)
{
	REFUSED(ReleaseResource(resource), status, PLF_CALL_RELEASE_RESOURCE);
}

/* OSEK 2.2.3, 13.4.3, in both kinds of status. */
static void statuses(void)
{
	refuse_get(PLF_RESOURCES, E_OS_ID);
	refuse_get(INVALID_RESOURCE, E_OS_ID);
	refuse_release(PLF_RESOURCES, E_OS_ID);
	refuse_release(INVALID_RESOURCE, E_OS_ID);
	refuse_get(OF_TASKS, E_OS_ACCESS);
	refuse_get(RES_SCHEDULER, E_OS_ACCESS);
	refuse_release(OF_TASKS, E_OS_NOFUNC);
	refuse_release(R, E_OS_NOFUNC);
	ALLOWED(GetResource(R));
	refuse_get(R, E_OS_ACCESS);
	refuse_release(S, E_OS_NOFUNC);
	ALLOWED(GetResource(OF_ROUTINES));
	ALLOWED(GetResource(S));
	refuse_get(R, E_OS_ACCESS);
	refuse_release(R, E_OS_NOFUNC);
	refuse_release(OF_ROUTINES, E_OS_NOFUNC);
	ALLOWED(ReleaseResource(S));
	refuse_get(R, E_OS_ACCESS); /* still held */
	ALLOWED(ReleaseResource(OF_ROUTINES));
	ALLOWED(ReleaseResource(R));
	refuse_release(R, E_OS_NOFUNC);
	EXPECT(id_in_error, LOCKS);
}

/* The check of SWS_Os_00093 comes first. */
static void masked(void)
{
	ALLOWED(GetResource(R));
	SuspendOSInterrupts();
	if (PLF_EXTENDED_STATUS) {
		refuse_get(INVALID_RESOURCE, E_OS_DISABLEDINT);
		refuse_get(S, E_OS_DISABLEDINT);
		refuse_release(R, E_OS_DISABLEDINT);
	}
	ResumeOSInterrupts();
	ALLOWED(ReleaseResource(R));
}

static void leave_open(bool is_masked)
{
	ALLOWED(GetResource(S));
	ALLOWED(GetResource(R));
	if (is_masked)
		DisableAllInterrupts();
}

ISR(LOCKS)
{
	mark('i');
	EXPECT(is_inside, false);
	EXPECT(GetISRID(), LOCKS);
	ALLOWED(ActivateTask(URGENT));
	switch (part) {
	case LOCKS_ONCE:
		lock_once();
		break;
	case STATUSES:
		statuses();
		break;
	case MASKED:
		masked();
		break;
	default:
		leave_open(part == LEAVES_ALL);
	}
	mark('I');
}

ISR(OTHER)
{
	mark('o');
	EXPECT(GetISRID(), OTHER);
	refuse_get(R, E_OS_ACCESS);
	refuse_release(R, E_OS_NOFUNC);
}

ALARMCALLBACK(RAISE)
{
	plf_port_raise(3);
}

void ErrorHook(StatusType status)
{
	note_error(status);
	id_in_error = GetISRID();
}

void PostTaskHook(void)
{
	struct test before = test;

	if (id_in_hook == INVALID_ISR)
		id_in_hook = GetISRID();
	status_in_hook = GetResource(R);
	if (status_in_hook == E_OS_CALLEVEL)
		status_in_hook = ReleaseResource(R);
	test = before; /* undo the notes of ErrorHook */
}
