/* SPDX-License-Identifier: MIT */
#include "protected.h"

static uint64_t calls; /* belongs to SENSORS */

uint64_t FUNCTION_READ(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	calls++;
	return a + 10 * b + 100 * c + 1000 * d;
}

/* The identity and the rights of the function are those of SENSORS. */
uint64_t FUNCTION_ASK(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	TaskType task = INVALID_TASK;
	TaskStateType state;

	(void)a, (void)b, (void)c, (void)d;
	EXPECT(GetApplicationID(), CONTROL);
	EXPECT(GetCurrentApplicationID(), SENSORS);
	ALLOWED(GetTaskID(&task));
	EXPECT(task, MAIN);
	ALLOWED(GetTaskState(OPEN, &state));
	EXPECT(state, SUSPENDED);
	REFUSED(ActivateTask(SAME), E_OS_ACCESS, OSServiceId_ActivateTask);
	EXPECT(found.caller, CONTROL);
	EXPECT(found.current, SENSORS);
	return calls;
}

static void refuses_its_end(void)
{
	REFUSED(TerminateTask(), E_OS_CALLEVEL, OSServiceId_TerminateTask);
	REFUSED(ChainTask(OPEN), E_OS_CALLEVEL, OSServiceId_ChainTask);
	(void)plf_call0(PLF_CALL_MISSING_TERMINATE);
	EXPECT(test.errors, 1);
	test.errors = 0;
}

static void refuses_waits(void)
{
	REFUSED(WaitEvent(EV), E_OS_CALLEVEL, OSServiceId_WaitEvent);
	REFUSED(ClearEvent(EV), E_OS_CALLEVEL, OSServiceId_ClearEvent);
	REFUSED(Schedule(), E_OS_CALLEVEL, OSServiceId_Schedule);
}

/* Uses system calls, because the user code of a lazy protocol reaches no words there. */
static void refuses_sections(void)
{
	StatusType status = (StatusType)plf_call1(PLF_CALL_GET_RESOURCE, R).status;

	REFUSED(status, E_OS_CALLEVEL, OSServiceId_GetResource);
	status = (StatusType)plf_call1(PLF_CALL_RELEASE_RESOURCE, R).status;
	REFUSED(status, E_OS_CALLEVEL, OSServiceId_ReleaseResource);
}

static void refused_void(OSServiceIdType service)
{
	EXPECT(test.errors, 1);
	EXPECT(test.error, E_OS_CALLEVEL);
	EXPECT(test.service, service);
	test.errors = 0;
}

static void refuses_masks(void)
{
	DisableAllInterrupts();
	refused_void(OSServiceId_DisableAllInterrupts);
	EnableAllInterrupts();
	refused_void(OSServiceId_EnableAllInterrupts);
	SuspendAllInterrupts();
	refused_void(OSServiceId_SuspendAllInterrupts);
	ResumeAllInterrupts();
	refused_void(OSServiceId_ResumeAllInterrupts);
	SuspendOSInterrupts();
	refused_void(OSServiceId_SuspendOSInterrupts);
	ResumeOSInterrupts();
	refused_void(OSServiceId_ResumeOSInterrupts);
}

/* Call a third application, and return. */
static uint64_t nests(uint64_t value)
{
	uint64_t kept = 0;

	ALLOWED(Call_KEEP(value, 1, 2, 3, &kept));
	EXPECT(kept, value + 6);
	EXPECT(GetCurrentApplicationID(), SENSORS);
	kept = 0;
	ALLOWED(Call_LOAD(0, 0, 0, 0, &kept));
	return kept;
}

static void asks_other(void)
{
	uint64_t value = 7;

	REFUSED(Call_READ(1, 2, 3, 4, &value), E_OS_ACCESS, OSServiceId_CallNonTrustedFunction);
	EXPECT(found.function, READ);
	EXPECT(value, 7);
}

uint64_t FUNCTION_DO(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	(void)c, (void)d;
	mark('(');
	switch ((enum act)a) {
	case ACTIVATES:
		ALLOWED(ActivateTask(HIGH));
		break;
	case RAISES:
		raise_interrupts(1 << 5);
		break;
	case ENDS_TASK:
		refuses_its_end();
		break;
	case WAITS:
		refuses_waits();
		break;
	case LOCKS:
		refuses_sections();
		break;
	case MASKS:
		refuses_masks();
		break;
	case NESTS:
		b = nests(b);
		break;
	case ASKS_OTHER:
		asks_other();
		break;
	default:
		CHECK(false);
	}
	mark(')');
	return b;
}

TASK(OPEN)
{
	TerminateTask();
}
