/* SPDX-License-Identifier: MIT */
/*
 * A foul task writes any values into what it shares with VICTIM by IOC: VICTIM gets a status or
 * data, and touches nothing else. What others share, the foul task cannot touch.
 */
#include "foul.h"

#include "Ioc.h"

DeclareTask(FOUL);
volatile uint32_t faults;
volatile StatusType fault;

enum { CALLS = 10, QUIET_NUMBER = 77 };

static const uint32_t garbage[] = { 0,	       1,	   2,	       3,
				    4,	       7,	   UINT32_MAX, UINT32_MAX - 1,
				    INT32_MAX, 0x80000000, 5u << 20,   0xdeadbeef };
enum { GARBAGE = sizeof(garbage) / sizeof(garbage[0]) };

static void (*volatile victims)(void); /* what VICTIM does next */
static uint32_t completed;	       /* so often VICTIM came to its end */
static volatile uint32_t seen;	       /* so what is received has to be read */

static void receives(void)
{
	uint32_t found;

	for (unsigned call = 0; call < CALLS; call++) {
		Std_ReturnType status = IocReceive_QUEUE(&found);

		CHECK(status == IOC_E_OK || status == IOC_E_LOST_DATA || status == IOC_E_NO_DATA);
		if (status != IOC_E_NO_DATA)
			seen = found;
		EXPECT(IocRead_LAST(&found), IOC_E_OK);
		seen = found;
	}
	EXPECT(IocEmptyQueue_QUEUE(), IOC_E_OK);
	EXPECT(IocReceive_QUEUE(&found), IOC_E_NO_DATA);
}

static void sends(void)
{
	for (unsigned call = 0; call < CALLS; call++) {
		Std_ReturnType status = IocSend_BACK(call);

		CHECK(status == IOC_E_OK || status == IOC_E_LIMIT);
		EXPECT(IocWrite_NEWS(call), IOC_E_OK);
	}
}

static void sends_quietly(void)
{
	EXPECT(IocSend_QUIET(QUIET_NUMBER), IOC_E_OK);
}

TASK(VICTIM)
{
	victims();
	completed++;
	TerminateTask();
}

TASK(OTHER)
{
	uint32_t found = 0;

	EXPECT(IocReceive_QUIET(&found), IOC_E_OK);
	EXPECT(found, QUIET_NUMBER);
	completed++;
	TerminateTask();
}

static void victim(void (*does)(void))
{
	uint32_t before = completed;

	victims = does;
	EXPECT(ActivateTask(VICTIM), E_OK);
	EXPECT(faults, 0);
	EXPECT(completed, before + 1);
}

/* Of a page, what no service writes. */
static void expect_clean(const char *start, const char *end)
{
	for (; start < end; start++)
		EXPECT(*start, 0);
}

static void expect_nothing_beside(void)
{
	expect_clean((const char *)&plf_ioc_BACK.places[4], (const char *)(&plf_ioc_BACK + 1));
	expect_clean((const char *)&plf_ioc_NEWS.slots[4], (const char *)(&plf_ioc_NEWS + 1));
}

static void spoil_last(struct plf_ioc_last *last, unsigned round)
{
	last->written = garbage[round % GARBAGE];
	last->reading = garbage[round / GARBAGE];
}

/* Each count beside each other one: as full, as empty, and as neither. */
static void spoil_queue(struct plf_ioc_queue *queue, unsigned round)
{
	queue->sent.tail = garbage[round % GARBAGE];
	queue->taken.head = garbage[round / GARBAGE];
	queue->sent.lost = garbage[(round + 2) % GARBAGE];
	queue->taken.seen = garbage[(round * 5) % GARBAGE];
}

TASK(FOUL)
{
	victim(sends_quietly);
	for (unsigned round = 0; round < GARBAGE * GARBAGE; round++) {
		spoil_queue(&plf_ioc_QUEUE.queue, round);
		spoil_last(&plf_ioc_LAST.last, round);
		victim(receives);
		spoil_queue(&plf_ioc_BACK.queue, round);
		spoil_last(&plf_ioc_NEWS.last, round);
		victim(sends);
	}
	expect_nothing_beside();
	EXPECT(ActivateTask(OTHER), E_OK);
	EXPECT(completed, 2 * GARBAGE * GARBAGE + 2);
	EXPECT(test.errors, 0);
	ShutdownOS(E_OK);
}
