/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "kernel/port.h"
#include "messages.h"

/* Notes the error in place of ErrorHook. */
void COMErrorHook(StatusType status)
{
	test.errors++;
	test.error = status;
	test.service = COMErrorGetServiceId();
	seen.com_errors++;
	seen.message = COMError_SendMessage_Message();
	EXPECT(SendMessage(SPEED, &seen), E_OS_CALLEVEL); /* its own errors call none */
}

void StartupHook(void)
{
	uint32_t speed = 1;

	REFUSED(SendMessage(SPEED, &speed), E_OS_CALLEVEL, COMServiceId_SendMessage);
	REFUSED(ReceiveMessage(SPEED_LAST, &speed), E_OS_CALLEVEL, COMServiceId_ReceiveMessage);
	REFUSED(GetMessageStatus(SPEED_QUEUE), E_OS_CALLEVEL, COMServiceId_GetMessageStatus);
	EXPECT(GetCOMApplicationMode(), NORMAL);
}

/*
 * Services that tasks and handlers may call, but callbacks may not: calls that wait, and calls that
 * could close a circle of callbacks.
 */
static void refuse_in_callback(void)
{
	uint32_t speed = 1;

	REFUSED(SendMessage(SPEED, &speed), E_OS_CALLEVEL, COMServiceId_SendMessage);
	REFUSED(SendZeroMessage(PING), E_OS_CALLEVEL, COMServiceId_SendZeroMessage);
	REFUSED(StartCOM(NORMAL), E_OS_CALLEVEL, COMServiceId_StartCOM);
	REFUSED(StopCOM(COM_SHUTDOWN_IMMEDIATE), E_OS_CALLEVEL, COMServiceId_StopCOM);
	REFUSED(WaitEvent(NEWS), E_OS_CALLEVEL, OSServiceId_WaitEvent);
	REFUSED(TerminateTask(), E_OS_CALLEVEL, OSServiceId_TerminateTask);
	REFUSED(ActivateTask(PLF_TASKS), E_OS_ID, OSServiceId_ActivateTask);
}

/* Notified tasks run after the callback. Interrupts are held back in any case. */
COMCallback(shaped)
{
	static struct shape shape;
	TaskType task = INVALID_TASK;

	ALLOWED(GetMessageStatus(SHAPE_CALL));
	ALLOWED(ReceiveMessage(SHAPE_CALL, &shape));
	seen.corner = shape.corner[sizeof(shape) - 1];
	seen.shaped++;
	refuse_in_callback();
	SuspendAllInterrupts();
	DisableAllInterrupts();
	SuspendOSInterrupts();
	ALLOWED(ActivateTask(READER));
	ALLOWED(SetEvent(WAITER, NEWS));
	ALLOWED(GetTaskID(&task));
	EXPECT(task, MAIN);
	ALLOWED(InitMessage(HANDED_ON, NULL));
	EXPECT(GetCOMApplicationMode(), NORMAL);
	EXPECT(test.errors, 0);
	mark('c');
}

/* A handler sends and receives as a task does. The tasks run after it has ended. */
ISR(HANDLER)
{
	uint32_t speed = 55;

	ALLOWED(InitMessage(HANDED_ON, NULL));
	ALLOWED(SendMessage(HANDED, &speed));
	mark('i');
	ALLOWED(GetMessageStatus(HANDED_ON));
	ALLOWED(ReceiveMessage(HANDED_ON, &seen.handled));
	speed = 56;
	ALLOWED(SendMessage(HANDED, &speed));
	EXPECT(SendZeroMessage(PING), E_OK);
	REFUSED(E_OS_LIMIT, E_OS_LIMIT, OSServiceId_ActivateTask);
	REFUSED(SendMessage(SPEED_LAST, &speed), E_COM_ID, COMServiceId_SendMessage);
	REFUSED(SendMessage(SPEED, NULL), E_OS_PARAM_POINTER, COMServiceId_SendMessage);
	REFUSED(StartCOM(NORMAL), E_OS_CALLEVEL, COMServiceId_StartCOM);
	mark('e');
}
