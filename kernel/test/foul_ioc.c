/* SPDX-License-Identifier: MIT */
/*
 * A foul task writes any values into memory that it shares with VICTIM by IOC. VICTIM gets a status
 * or data, and touches nothing else. The foul task cannot touch memory that other tasks share. If
 * an IOC has two senders, the messages of the other sender come in their turn.
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

enum { OF_FOUL = 1 << 30 }; /* a bit in the numbers that FOUL sends beside OTHER */

static void (*volatile victims)(void); /* next action of VICTIM */
static volatile bool is_beside_foul;   /* next action of OTHER: it sends, as FOUL does */
static uint32_t completed;	       /* number of times that VICTIM completed */
static volatile uint32_t seen;	       /* forces the read of received data */

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

/* OTHER has sent 1 to 3 and written 4. Values of FOUL come in between. */
static void receives_lanes(void)
{
	uint32_t found, expected = 1;

	for (unsigned call = 0; call < CALLS; call++) {
		Std_ReturnType status = IocReceive_LANES(&found);

		if (status == IOC_E_NO_DATA || found & OF_FOUL)
			continue;
		EXPECT(status, IOC_E_OK);
		EXPECT(found, expected);
		expected++;
	}
	EXPECT(expected, 4);
	EXPECT(IocRead_NEWEST(&found), IOC_E_OK);
	CHECK(found == 4 || found & OF_FOUL);
	EXPECT(IocEmptyQueue_LANES(), IOC_E_OK);
	EXPECT(IocReceive_LANES(&found), IOC_E_NO_DATA);
}

TASK(VICTIM)
{
	victims();
	completed++;
	TerminateTask();
}

static void send_beside_foul(void)
{
	for (uint32_t message = 1; message <= 3; message++)
		EXPECT(IocSend_LANES_OTHER(message), IOC_E_OK);
	EXPECT(IocWrite_NEWEST_OTHER(4), IOC_E_OK);
}

TASK(OTHER)
{
	uint32_t found = 0;

	if (is_beside_foul) {
		send_beside_foul();
		TerminateTask();
	}
	EXPECT(IocReceive_QUIET(&found), IOC_E_OK);
	EXPECT(found, QUIET_NUMBER);
	completed++;
	TerminateTask();
}

static void other(bool is_beside)
{
	is_beside_foul = is_beside;
	EXPECT(ActivateTask(OTHER), E_OK);
	EXPECT(faults, 0);
}

static void victim(void (*does)(void))
{
	uint32_t before = completed;

	victims = does;
	EXPECT(ActivateTask(VICTIM), E_OK);
	EXPECT(faults, 0);
	EXPECT(completed, before + 1);
}

/* The part of a page that no service writes must be 0. */
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

/* Combine all counts: the queue looks full, empty or neither. */
static void spoil_queue(struct plf_ioc_queue *queue, unsigned round)
{
	queue->sent.tail = garbage[round % GARBAGE];
	queue->taken.head = garbage[round / GARBAGE];
	queue->sent.lost = garbage[(round + 2) % GARBAGE];
	queue->taken.seen = garbage[(round * 5) % GARBAGE];
}

/* Spoil FOUL's lane, with marked messages and values. */
static void spoil_lane(unsigned round)
{
	struct plf_ioc_last_lane *lane = &plf_ioc_NEWEST[0].lane;

	spoil_queue(&plf_ioc_LANES[0].queue, round);
	spoil_last(&lane->last, round);
	lane->stamp = garbage[round % GARBAGE] * UINT64_C(0x100000001);
	for (unsigned slot = 0; slot < PLF_IOC_SLOTS; slot++) {
		lane->stamps[slot] = ~lane->stamp - slot;
		plf_ioc_LANES[0].places[slot] = OF_FOUL | slot;
		plf_ioc_NEWEST[0].slots[slot] = OF_FOUL | slot;
	}
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
		spoil_lane(round);
		other(true);
		spoil_lane(round);
		victim(receives_lanes);
	}
	expect_nothing_beside();
	other(false);
	EXPECT(completed, 3 * GARBAGE * GARBAGE + 2);
	EXPECT(test.errors, 0);
	ShutdownOS(E_OK);
}
