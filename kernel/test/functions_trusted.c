/* SPDX-License-Identifier: MIT */
#include "kernel/port.h"

#include "errors.h"
#include "functions.h"

void TRUSTED_READ(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);
void TRUSTED_DO(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);
void TRUSTED_LAST(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters);

void TRUSTED_READ(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	struct reading *reading = parameters;

	mark('R');
	reading->index = index;
	reading->caller = GetApplicationID();
	reading->current = GetCurrentApplicationID();
	reading->isr = GetISRID();
	ALLOWED(GetTaskID(&reading->task));
	REFUSED(GetTaskState(INVALID_TASK, &reading->state), E_OS_ID, OSServiceId_GetTaskState);
	reading->after_error = GetCurrentApplicationID();
}

void TRUSTED_LAST(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	EXPECT(index, LAST);
	EXPECT(parameters, NULL);
	EXPECT(GetCurrentApplicationID(), ENDS);
	mark('L');
}

static void refuses_levels(void)
{
	REFUSED(TerminateTask(), E_OS_CALLEVEL, OSServiceId_TerminateTask);
	REFUSED(ChainTask(HIGH), E_OS_CALLEVEL, OSServiceId_ChainTask);
	REFUSED(Schedule(), E_OS_CALLEVEL, OSServiceId_Schedule);
	REFUSED(GetResource(R), E_OS_CALLEVEL, OSServiceId_GetResource);
	REFUSED(ReleaseResource(R), E_OS_CALLEVEL, OSServiceId_ReleaseResource);
	REFUSED(ClearEvent(EV), E_OS_CALLEVEL, OSServiceId_ClearEvent);
	REFUSED(WaitEvent(EV), E_OS_CALLEVEL, OSServiceId_WaitEvent);
	EXPECT(StartCOM(0), E_OS_CALLEVEL); /* without a call of COMErrorHook */
	EXPECT(StopCOM(COM_SHUTDOWN_IMMEDIATE), E_OS_CALLEVEL);
	REFUSED(TerminateApplication(DRIVER, NO_RESTART), E_OS_CALLEVEL,
		OSServiceId_TerminateApplication);
	REFUSED(CallTrustedFunction(READ, NULL), E_OS_CALLEVEL, OSServiceId_CallTrustedFunction);
	REFUSED(CallTrustedFunction(INVALID_TASK, NULL), E_OS_CALLEVEL,
		OSServiceId_CallTrustedFunction);
}

/* Objects that its caller may use, but its application may not. */
static void refuses_rights(void)
{
	TaskStateType state;

	REFUSED(ActivateTask(CLOSED), E_OS_ACCESS, OSServiceId_ActivateTask);
	REFUSED(SetEvent(MAIN, EV), E_OS_ACCESS, OSServiceId_SetEvent);
	REFUSED(GetTaskState(MAIN, &state), E_OS_ACCESS, OSServiceId_GetTaskState);
	REFUSED(SetRelAlarm(MINE, 1, 0), E_OS_ACCESS, OSServiceId_SetRelAlarm);
	REFUSED(IncrementCounter(OWN_TICKS), E_OS_ACCESS, OSServiceId_IncrementCounter);
	REFUSED(AllowAccess(), E_OS_STATE, OSServiceId_AllowAccess);
}

static void allows(void)
{
	ApplicationStateType state;
	AlarmBaseType base;
	TickType ticks;

	EXPECT(CheckObjectAccess(DRIVER, OBJECT_TASK, HIGH), ACCESS);
	EXPECT(CheckObjectOwnership(OBJECT_ALARM, ACTS), DRIVER);
	EXPECT(CheckTaskMemoryAccess(INVALID_TASK, &base, 1), 0);
	CHECK(OSMEMORY_IS_READABLE(CheckTaskMemoryAccess(MAIN, &test, sizeof(test))));
	ALLOWED(GetApplicationState(ENDS, &state));
	EXPECT(GetActiveApplicationMode(), OSDEFAULTAPPMODE);
	ALLOWED(GetAlarmBase(ACTS, &base));
	ALLOWED(SetRelAlarm(ACTS, 3, 0));
	ALLOWED(GetAlarm(ACTS, &ticks));
	EXPECT(ticks, 3);
	ALLOWED(CancelAlarm(ACTS));
	ALLOWED(GetCounterValue(TICKS, &ticks));
	EXPECT(GetMessageStatus(NEWS_LAST), E_COM_ID); /* NEWS_LAST has no queue */
}

/* These services have no effect, because interrupts are held back until the function has ended. */
static void masks(void)
{
	DisableAllInterrupts();
	SuspendAllInterrupts();
	SuspendOSInterrupts();
	EnableAllInterrupts();
	ResumeAllInterrupts();
	ResumeOSInterrupts();
}

static void send(void)
{
	uint32_t news = 77;

	ALLOWED(SendMessage(NEWS, &news));
	ALLOWED(ReceiveMessage(NEWS_LAST, &news));
	mark('S');
}

static void expire(void)
{
	ALLOWED(SetRelAlarm(ACTS, 1, 0));
	ALLOWED(SetRelAlarm(CALLS, 1, 0));
	ALLOWED(IncrementCounter(TICKS));
	EXPECT(GetCurrentApplicationID(), DRIVER);
	REFUSED(TerminateTask(), E_OS_CALLEVEL, OSServiceId_TerminateTask);
	mark('E');
}

void TRUSTED_DO(TrustedFunctionIndexType index, TrustedFunctionParameterRefType parameters)
{
	const enum act *act = parameters;

	EXPECT(index, DO);
	switch (*act) {
	case ACTIVATES:
		ALLOWED(ActivateTask(HIGH));
		mark('A');
		break;
	case RAISES:
		plf_port_raise(5);
		masks();
		mark('D');
		break;
	case REFUSES:
		refuses_levels();
		refuses_rights();
		break;
	case ALLOWS:
		allows();
		break;
	case EXPIRES:
		expire();
		break;
	case SENDS:
		send();
		break;
	}
}

/* A callback may not call a trusted function: ErrorHook is called. */
ALARMCALLBACK(LATER)
{
	mark('c');
	found.in_callback = CallTrustedFunction(READ, NULL);
	test.errors = 0;
}

COMCallback(CAME)
{
	mark('m');
	found.in_message = CallTrustedFunction(READ, NULL);
	EXPECT(GetCurrentApplicationID(), DRIVER);
	test.errors = 0;
}

void PreTaskHook(void)
{
	found.in_hook = CallTrustedFunction(READ, NULL);
	found.access_in_hook = CheckTaskMemoryAccess(MAIN, &test, sizeof(test));
	test.errors = 0;
}

void ErrorHook(StatusType status)
{
	found.error_caller = GetApplicationID();
	found.error_current = GetCurrentApplicationID();
	if (OSErrorGetServiceId() == OSServiceId_CallTrustedFunction) {
		found.function = OSError_CallTrustedFunction_FunctionIndex();
		found.parameters = OSError_CallTrustedFunction_FunctionParams();
	}
	if (OSErrorGetServiceId() == OSServiceId_CheckTaskMemoryAccess) {
		found.task = OSError_CheckTaskMemoryAccess_TaskID();
		found.address = OSError_CheckTaskMemoryAccess_Address();
		found.size = OSError_CheckTaskMemoryAccess_Size();
	}
	note_error(status);
}

/* A function that the handler calls runs at the handler's level, with the rights of DRIVER. */
ISR(COMES)
{
	static const enum act act = ACTIVATES;

	mark('i');
	REFUSED(ActivateTask(HIGH), E_OS_ACCESS, OSServiceId_ActivateTask);
	ALLOWED(CallTrustedFunction(READ, &found.reading));
	ALLOWED(CallTrustedFunction(DO, (void *)(uintptr_t)&act));
	REFUSED(CallTrustedFunction(PLF_TRUSTED_FUNCTIONS, NULL), E_OS_SERVICEID,
		OSServiceId_CallTrustedFunction);
	EXPECT(GetCurrentApplicationID(), LISTENS);
	REFUSED(ActivateTask(HIGH), E_OS_ACCESS, OSServiceId_ActivateTask);
	mark('j');
}
