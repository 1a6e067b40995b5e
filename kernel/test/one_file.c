/* SPDX-License-Identifier: MIT */
/*
 * A whole program in a single file that runs in both modes. main(), tasks, the routine of an
 * interrupt, callbacks and hooks share its functions and its static data. Each service finds out
 * the mode of its caller.
 */
#include "errors.h"

static AppModeType chosen = SECOND;
static uint32_t entered;
static TaskType refused;
static COMServiceIdType com_service;
static const char letters[] = { [HIGH] = 'H', [WAITER] = 'W', [MAIN] = 'M' };

/* A section: tasks enter it by the protocol, the routine by the kernel. */
static void enter(void)
{
	EXPECT(GetResource(R), E_OK);
	entered++;
	EXPECT(ReleaseResource(R), E_OK);
}

/* Services that tasks, routines and hooks may call. */
static TaskType running(void)
{
	TaskType task = INVALID_TASK;
	TaskStateType state = SUSPENDED;

	EXPECT(GetTaskID(&task), E_OK);
	CHECK(task < PLF_TASKS);
	EXPECT(GetTaskState(task, &state), E_OK);
	EXPECT(state, RUNNING);
	return task;
}

/* ---- In the kernel's mode -------------------------------------------------------- */

int main(void)
{
	mark('m');
	EXPECT(GetISRID(), INVALID_ISR);
	EXPECT(GetResource(R), E_OS_CALLEVEL);
	EXPECT(ActivateTask(HIGH), E_OS_CALLEVEL);
	EXPECT(SetRelAlarm(ALARM, 1, 0), E_OS_CALLEVEL);
	StartOS(chosen);
}

void StartupHook(void)
{
	mark('S');
	EXPECT(GetActiveApplicationMode(), SECOND);
	EXPECT(ActivateTask(HIGH), E_OS_CALLEVEL);
}

void PreTaskHook(void)
{
	mark('<');
	mark(letters[running()]);
}

void PostTaskHook(void)
{
	mark('>');
	mark(letters[running()]);
	EXPECT(GetResource(R), E_OS_CALLEVEL);
	EXPECT(ReleaseResource(R), E_OS_CALLEVEL);
}

/* main() and the hooks above may call few services. */
void ErrorHook(StatusType status)
{
	if (status == E_OS_CALLEVEL)
		return;
	refused = OSError_ActivateTask_TaskID();
	note_error(status);
}

void COMErrorHook(StatusType status)
{
	EXPECT(status, E_COM_ID);
	com_service = COMErrorGetServiceId();
}

ALARMCALLBACK(raise_it)
{
	mark('c');
	SuspendAllInterrupts();
	ResumeAllInterrupts();
	EXPECT(SetEvent(WAITER, EV), E_OS_CALLEVEL);
	EXPECT(GetResource(R), E_OS_CALLEVEL);
	plf_port_raise(5);
}

COMCallback(noted)
{
	uint32_t data = 0;

	mark('n');
	EXPECT(ReceiveMessage(CALLED, &data), E_OK);
	EXPECT(data, entered);
}

ISR(COMES)
{
	TickType ticks;

	mark('i');
	EXPECT(GetISRID(), COMES);
	EXPECT(running(), MAIN);
	enter();
	EXPECT(SendMessage(SENT, &entered), E_OK);
	EXPECT(SetEvent(WAITER, EV), E_OK);
	EXPECT(ActivateTask(HIGH), E_OK);
	EXPECT(SetRelAlarm(ALARM, 3, 0), E_OK);
	EXPECT(GetAlarm(ALARM, &ticks), E_OK);
	EXPECT(ticks, 3);
	EXPECT(WaitEvent(EV), E_OS_CALLEVEL);
	REFUSED(ActivateTask(PLF_TASKS), E_OS_ID, OSServiceId_ActivateTask);
	EXPECT(refused, PLF_TASKS);
}

/* ---- In user mode ------------------------------------------------------------------ */

TASK(HIGH)
{
	mark('h');
	EXPECT(running(), HIGH);
	enter();
	TerminateTask();
}

TASK(WAITER)
{
	uint32_t data = 0;
	EventMaskType events = 0;

	for (;;) {
		EXPECT(WaitEvent(EV), E_OK);
		EXPECT(GetEvent(WAITER, &events), E_OK);
		EXPECT(events, EV);
		EXPECT(ClearEvent(EV), E_OK);
		mark('w');
		EXPECT(ReadFlag_CAME(), COM_TRUE);
		EXPECT(ReceiveMessage(LAST, &data), E_OK);
		EXPECT(data, 2);
		EXPECT(ReadFlag_CAME(), COM_FALSE);
	}
}

static void refuse(void)
{
	uint32_t data = 0;

	REFUSED(ActivateTask(INVALID_TASK), E_OS_ID, OSServiceId_ActivateTask);
	EXPECT(refused, INVALID_TASK);
	EXPECT(ReceiveMessage(SENT, &data), E_COM_ID);
	EXPECT(com_service, COMServiceId_ReceiveMessage);
	if (PLF_EXTENDED_STATUS) {
		REFUSED(ReleaseResource(R), E_OS_NOFUNC, OSServiceId_ReleaseResource);
		SuspendOSInterrupts();
		REFUSED(GetResource(R), E_OS_DISABLEDINT, OSServiceId_GetResource);
		ResumeOSInterrupts();
	}
}

/* The routine uses R, too, so it comes after the task has left the section. */
static void keep_out(void)
{
	EXPECT(SetRelAlarm(ALARM, 1, 0), E_OK);
	EXPECT(GetResource(R), E_OK);
	EXPECT(IncrementCounter(SOFT), E_OK);
	EXPECT_TRAIL("c");
	EXPECT(ReleaseResource(R), E_OK);
	EXPECT_TRAIL("in>M<Hh>H<Ww>W<M");
	EXPECT(entered, 3);
}

TASK(MAIN)
{
	EXPECT_TRAIL("mS<W>W<M");
	EXPECT(GetISRID(), INVALID_ISR);
	EXPECT(running(), MAIN);
	enter();
	EXPECT(entered, 1);
	refuse();
	EXPECT_TRAIL("");
	keep_out();
	EXPECT(ActivateTask(HIGH), E_OK);
	EXPECT_TRAIL(">M<Hh>H<M");
	EXPECT(entered, 4);
	ShutdownOS(E_OK);
}
