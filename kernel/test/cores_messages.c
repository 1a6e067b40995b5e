/* SPDX-License-Identifier: MIT */
/*
 * A message belongs to a core, so for other cores it is E_OS_CORE. It may notify objects of any
 * core.
 */
#include "several_cores.h"

static uint32_t came, heard;

TASK(HERE)
{
	uint32_t value = 0;

	EXPECT(GetCoreID(), 0);
	EXPECT(ReceiveMessage(FAR_QUEUE, &value), E_OS_CORE);
	EXPECT(value, 0);
	count(&came);
	TerminateTask();
}

TASK(THERE)
{
	uint32_t value = 21;

	EXPECT(WaitEvent(EV), E_OK);
	EXPECT(ClearEvent(EV), E_OK);
	EXPECT(ReadFlag_SENT(), COM_TRUE);
	EXPECT(GetCOMApplicationMode(), NORMAL);
	EXPECT(ReceiveMessage(NEAR_LAST, &value), E_OS_CORE);
	EXPECT(SendMessage(FAR, &value), E_OK); /* the other core has stopped its COM */
	value = 0;
	EXPECT(ReceiveMessage(FAR_LAST, &value), E_OK);
	EXPECT(value, 21);
	EXPECT(ReceiveMessage(FAR_QUEUE, &value), E_OK);
	EXPECT(GetMessageStatus(FAR_QUEUE), E_COM_NOMSG);
	EXPECT(StartCOM(NORMAL), E_OK);
	EXPECT(ReceiveMessage(FAR_LAST, &value), E_OK);
	EXPECT(value, 9);
	show(&heard, 1);
	TerminateTask();
}

static void refuse(void)
{
	uint32_t value = 4;

	EXPECT(SendMessage(FAR, &value), E_OS_CORE);
	EXPECT(ReceiveMessage(FAR_LAST, &value), E_OS_CORE);
	EXPECT(ReceiveMessage(FAR_QUEUE, &value), E_OS_CORE);
	EXPECT(GetMessageStatus(FAR_QUEUE), E_OS_CORE);
	EXPECT(GetMessageStatus(FAR_LAST), E_COM_ID);
	EXPECT(InitMessage(FAR_LAST, &value), E_OS_CORE);
	EXPECT(InitMessage(FAR_QUEUE, &value), E_OS_CORE);
	EXPECT(SendMessage(PLF_MESSAGES, &value), E_COM_ID);
	EXPECT(value, 4);
}

TASK(MAIN)
{
	uint32_t value = 3;

	AWAIT(state_of(THERE) == WAITING);
	refuse();
	EXPECT(StartCOM(REPAIR), E_OK);
	EXPECT(GetCOMApplicationMode(), REPAIR);
	EXPECT(SendMessage(NEAR, &value), E_OK);
	EXPECT(StopCOM(COM_SHUTDOWN_IMMEDIATE), E_OK);
	EXPECT(ReceiveMessage(NEAR_LAST, &value), E_COM_SYS_STOPPED);
	AWAIT(look(&came) == 1);
	AWAIT(look(&heard));
	EXPECT(ReadFlag_SENT(), COM_TRUE); /* StartCOM() of the other core did not reset it */
	EXPECT(StartCOM(NORMAL), E_OK);
	EXPECT(ReadFlag_SENT(), COM_FALSE);
	EXPECT(ReceiveMessage(NEAR_LAST, &value), E_OK);
	EXPECT(value, 0);
	EXPECT(test.errors, 0);
	ShutdownAllCores(E_OK);
}
