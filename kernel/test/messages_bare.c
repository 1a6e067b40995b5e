/* SPDX-License-Identifier: MIT */
/* Messages without a hook for errors: the time at which notified tasks run. */
#include "check.h"

static uint16_t received[2];

/* The answer of a service, and the call of COMErrorHook if the image has it. */
static void refused(StatusType found, StatusType status, OSServiceIdType service)
{
	EXPECT(found, status);
	if (PLF_COM_ERROR_HOOK)
		REFUSED(found, status, service);
	EXPECT(test.errors, 0);
}

TASK(LOCKER)
{
	TerminateTask();
}

TASK(READER)
{
	EXPECT(ReceiveMessage(VALUE_QUEUE, received), E_OK);
	mark((char)('0' + received[1]));
	TerminateTask();
}

static void send(uint16_t value)
{
	uint16_t both[2] = { (uint16_t)(value << 8), value };

	EXPECT(SendMessage(VALUE, both), E_OK);
	mark('.');
}

/* Tasks run within the service, or when the section ends. */
static void in_section(void)
{
	send(1);
	EXPECT_TRAIL("1.");
	EXPECT(received[0], 1 << 8);
	EXPECT(GetResource(R), E_OK);
	send(2);
	send(3);
	EXPECT_TRAIL("..");
	EXPECT(ReleaseResource(R), E_OK);
	EXPECT_TRAIL("23");
	refused(GetMessageStatus(VALUE_QUEUE), E_COM_NOMSG, COMServiceId_GetMessageStatus);
	refused(SendMessage(VALUE_QUEUE, received), E_COM_ID, COMServiceId_SendMessage);
}

TASK(MAIN)
{
	in_section();
	EXPECT(ReadFlag_TICKED(), COM_FALSE);
	EXPECT(WaitEvent(NEWS), E_OK); /* IDLE sets it, while no task runs */
	EXPECT(ClearEvent(NEWS), E_OK);
	EXPECT_TRAIL("i");
	EXPECT(ReadFlag_TICKED(), COM_TRUE);
	EXPECT(StartCOM(0), E_OK);
	refused(StartCOM(1), E_COM_ID, COMServiceId_StartCOM);
	EXPECT(ActivateTask(INVALID_TASK), E_OS_ID); /* COMErrorHook is not called for it */
	EXPECT(test.errors, 0);
	EXPECT(GetCOMApplicationMode(), 0);
	EXPECT(ReadFlag_TICKED(), COM_FALSE);
	ShutdownOS(E_OK);
}
