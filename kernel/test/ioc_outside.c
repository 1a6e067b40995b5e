/* SPDX-License-Identifier: MIT */
/*
 * Only the sender and the receiver have the memory of an IOC: a third task ends when it tries. Each
 * of several senders has separate memory. Of another sender it may read only the stamp of a last
 * value.
 */
#include "check.h"

#include "Ioc.h"

volatile uint32_t faults;
volatile StatusType fault;

static enum {
	SENDS,
	RECEIVES,
	READS,
	WRITES,
	SENDS_FOR_ANOTHER,
	LOOKS_AT_ANOTHERS,
	RECEIVES_LANES,
	READS_NEWEST,
	WRITES_FOR_ANOTHER,
	ATTEMPTS,
} attempt;
static volatile uint32_t seen; /* forces the read */
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
	case WRITES:
		(void)IocWrite_LAST(1);
		break;
	case SENDS_FOR_ANOTHER:
		(void)IocSend_LANES_SENDER(1);
		break;
	case LOOKS_AT_ANOTHERS:
		seen = plf_ioc_LANES[0].queue.sent.tail;
		break;
	case RECEIVES_LANES:
		plf_turn_of_ioc_LANES.lane = 1;
		break;
	case READS_NEWEST:
		(void)IocRead_NEWEST(&found);
		break;
	case WRITES_FOR_ANOTHER:
		EXPECT(plf_ioc_NEWEST[0].lane.stamp, 1); /* OUTSIDE may read this stamp */
		(void)IocWrite_NEWEST_SENDER(1);
		break;
	default:
		EXPECT(IocSend_LANES_OUTSIDE(7), IOC_E_OK);
		EXPECT(IocWrite_NEWEST_OUTSIDE(8), IOC_E_OK);
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
	EXPECT(IocReceive_LANES(&found), IOC_E_OK);
	EXPECT(found, 7);
	EXPECT(IocReceive_LANES(&found), IOC_E_NO_DATA);
	EXPECT(IocRead_NEWEST(&found), IOC_E_OK);
	EXPECT(found, 8);
	TerminateTask();
}

TASK(SENDER)
{
	uint32_t found = 0;

	EXPECT(IocSend_QUEUE(5), IOC_E_OK);
	EXPECT(IocWrite_NEWEST_SENDER(9), IOC_E_OK);
	for (attempt = SENDS; attempt < ATTEMPTS; attempt++) {
		EXPECT(ActivateTask(OUTSIDE), E_OK);
		EXPECT(faults, attempt + 1U);
		EXPECT(fault, E_OS_PROTECTION_MEMORY);
	}
	EXPECT(returned, 0);
	EXPECT(ActivateTask(OUTSIDE), E_OK);
	EXPECT(returned, 1);
	EXPECT(ActivateTask(RECEIVER), E_OK);
	EXPECT(IocRead_LAST(&found), IOC_E_OK);
	EXPECT(found, 6);
	EXPECT(test.errors, 0);
	ShutdownOS(E_OK);
}
