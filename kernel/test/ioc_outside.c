/* SPDX-License-Identifier: MIT */
/* Only the sender and the receiver have the memory of an IOC: a third task ends when it tries. */
#include "check.h"

#include "Ioc.h"

volatile uint32_t faults;
volatile StatusType fault;

static enum { SENDS, RECEIVES, READS, WRITES, ATTEMPTS } attempt;
static uint32_t returned;

TASK(OUTSIDE)
{
	uint32_t found = 0;

	switch (attempt) {
	case SENDS:
		(void)IocSend_QUEUE(1);
		break;
	case RECEIVES:
		(void)IocReceive_QUEUE(&found);
		break;
	case READS:
		(void)IocRead_LAST(&found);
		break;
	default:
		(void)IocWrite_LAST(1);
		break;
	}
	returned++;
	TerminateTask();
}

TASK(RECEIVER)
{
	uint32_t found = 0;

	EXPECT(IocReceive_QUEUE(&found), IOC_E_OK);
	EXPECT(found, 5);
	EXPECT(IocWrite_LAST(6), IOC_E_OK);
	TerminateTask();
}

TASK(SENDER)
{
	uint32_t found = 0;

	EXPECT(IocSend_QUEUE(5), IOC_E_OK);
	for (attempt = SENDS; attempt < ATTEMPTS; attempt++) {
		EXPECT(ActivateTask(OUTSIDE), E_OK);
		EXPECT(faults, attempt + 1U);
		EXPECT(fault, E_OS_PROTECTION_MEMORY);
	}
	EXPECT(returned, 0);
	EXPECT(ActivateTask(RECEIVER), E_OK);
	EXPECT(IocRead_LAST(&found), IOC_E_OK);
	EXPECT(found, 6);
	EXPECT(test.errors, 0);
	ShutdownOS(E_OK);
}
