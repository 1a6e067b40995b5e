/* SPDX-License-Identifier: MIT */
/*
 * IOC between two tasks of a core: the promises of each service, in turn. RECEIVER runs when SENDER
 * activates it, and does the action of `step`.
 */
#include "check.h"

#include "Ioc.h"

enum step { AT_FIRST, TAKES, TAKES_AFTER_LOSS, EMPTIES, WRAPS, READS, COPIES };

static enum step step;

static void expect_received(uint32_t expected, Std_ReturnType status)
{
	uint32_t found = 0;

	EXPECT(IocReceive_QUEUE(&found), status);
	EXPECT(found, expected);
}

static void expect_nothing(void)
{
	expect_received(0, IOC_E_NO_DATA);
}

/* Queues are empty, and the last value is that of the description, or zeros. */
static void at_first(void)
{
	struct wide wide = { .number = 1 };
	int16_t last = 0;
	row values = { 1, 2, 3 };

	expect_nothing();
	EXPECT(IocReceive_ONE(&wide), IOC_E_NO_DATA);
	EXPECT(wide.number, 1);
	EXPECT(IocRead_LAST(&last), IOC_E_OK);
	EXPECT(last, 7);
	EXPECT(IocRead_WIDE(&wide), IOC_E_OK);
	EXPECT(wide.number, 0);
	EXPECT(IocRead_ROW(&values), IOC_E_OK);
	EXPECT(values[2], 0);
	EXPECT(IocWrite_BACK("here"), IOC_E_OK);
}

static void takes_after_loss(void)
{
	expect_received(3, IOC_E_LOST_DATA); /* reported once, however many messages were lost */
	expect_received(4, IOC_E_OK);
	expect_received(5, IOC_E_OK);
	expect_nothing();
}

/* The dropped messages take the report of earlier losses with them. */
static void empties(void)
{
	EXPECT(IocEmptyQueue_QUEUE(), IOC_E_OK);
	expect_nothing();
	EXPECT(IocEmptyQueue_QUEUE(), IOC_E_OK);
	expect_nothing();
}

static void reads(void)
{
	struct wide wide = { 0 };
	int16_t last = 0;
	row values = { 0 };

	EXPECT(IocRead_LAST(&last), IOC_E_OK);
	EXPECT(last, -2);
	EXPECT(IocRead_LAST(&last), IOC_E_OK); /* again */
	EXPECT(last, -2);
	EXPECT(IocRead_WIDE(&wide), IOC_E_OK);
	EXPECT(wide.number, UINT64_MAX);
	EXPECT(wide.text[20], 'z');
	EXPECT(IocRead_ROW(&values), IOC_E_OK);
	EXPECT(values[0] + 10 * values[1] + 100 * values[2], 654);
	EXPECT(IocReceive_ONE(&wide), IOC_E_LOST_DATA);
	EXPECT(wide.number, 8);
	EXPECT(IocReceive_ONE(&wide), IOC_E_NO_DATA);
}

/*
 * A place is given back after its message is copied. The message is the count of received messages,
 * and is copied over that count. Afterwards the count is 1 more. Otherwise it would stay as it was.
 */
static void copies(void)
{
	EXPECT(IocReceive_QUEUE(&plf_ioc_QUEUE.queue.taken.head), IOC_E_OK);
	expect_nothing();
}

TASK(RECEIVER)
{
	switch (step) {
	case AT_FIRST:
		at_first();
		break;
	case TAKES:
		expect_received(1, IOC_E_OK);
		expect_received(2, IOC_E_OK);
		expect_nothing();
		break;
	case TAKES_AFTER_LOSS:
		takes_after_loss();
		break;
	case EMPTIES:
		empties();
		break;
	case WRAPS:
		expect_received(9, IOC_E_OK);
		break;
	case READS:
		reads();
		break;
	case COPIES:
		copies();
		break;
	}
	TerminateTask();
}

static void receiver(enum step does)
{
	step = does;
	EXPECT(ActivateTask(RECEIVER), E_OK);
}

static void fill(void)
{
	for (uint32_t number = 3; number < 6; number++)
		EXPECT(IocSend_QUEUE(number), IOC_E_OK);
	EXPECT(IocSend_QUEUE(6), IOC_E_LIMIT);
	EXPECT(IocSend_QUEUE(7), IOC_E_LIMIT);
}

static void write(void)
{
	struct wide wide = { UINT64_MAX, { [20] = 'z' } };
	const row values = { 4, 5, 6 };

	EXPECT(IocWrite_LAST(5), IOC_E_OK);
	EXPECT(IocWrite_LAST(-2), IOC_E_OK);
	EXPECT(IocWrite_WIDE(&wide), IOC_E_OK);
	EXPECT(IocWrite_ROW(&values), IOC_E_OK);
	wide.number = 8;
	EXPECT(IocSend_ONE(&wide), IOC_E_OK);
	wide.number = 9;
	EXPECT(IocSend_ONE(&wide), IOC_E_LIMIT);
}

/*
 * RECEIVER has found the last value, and not copied it yet. However often SENDER writes, that value
 * stays whole. The next read finds the last value. For each pair, and each slot of it.
 */
static void write_while_it_reads(void)
{
	int16_t last = 0;

	for (int16_t round = 0; round < 8; round++) {
		uint32_t place;

		EXPECT(IocWrite_LAST(round), IOC_E_OK);
		place = plf_ioc_last_find(&plf_ioc_LAST.last);
		for (int16_t more = 1; more < 4; more++) {
			EXPECT(IocWrite_LAST((int16_t)(100 * round + more)), IOC_E_OK);
			EXPECT(plf_ioc_LAST.slots[place], round);
		}
		EXPECT(IocRead_LAST(&last), IOC_E_OK);
		EXPECT(last, 100 * round + 3);
	}
}

/*
 * The data are copied before the message, or the value, can be found: the copy has the old words.
 */
static void copy_before_it_is_found(void)
{
	uint32_t tail = plf_ioc_QUEUE.queue.sent.tail;
	int16_t written = (int16_t)plf_ioc_LAST.last.written, last = 0;

	EXPECT(plf_ioc_send(&plf_ioc_QUEUE.queue, 3, 3, (char *)plf_ioc_QUEUE.places,
			    &plf_ioc_QUEUE.queue.sent.tail, sizeof(tail)),
	       IOC_E_OK);
	EXPECT(plf_ioc_QUEUE.places[tail & 3], tail);
	EXPECT(plf_ioc_QUEUE.queue.taken.head, tail); /* as COPIES expects */
	receiver(COPIES);
	EXPECT(plf_ioc_write(&plf_ioc_LAST.last, (char *)plf_ioc_LAST.slots,
			     &plf_ioc_LAST.last.written, sizeof(written)),
	       IOC_E_OK);
	EXPECT(IocRead_LAST(&last), IOC_E_OK);
	EXPECT(last, written);
}

TASK(SENDER)
{
	const char *text = "";

	receiver(AT_FIRST);
	EXPECT(IocRead_BACK(&text), IOC_E_OK);
	EXPECT(text[3], 'e');
	EXPECT(IocSend_QUEUE(1), IOC_E_OK);
	EXPECT(IocSend_QUEUE(2), IOC_E_OK);
	receiver(TAKES);
	fill();
	receiver(TAKES_AFTER_LOSS);
	fill();
	receiver(EMPTIES);
	for (unsigned round = 0; round < 10; round++) {
		EXPECT(IocSend_QUEUE(9), IOC_E_OK);
		receiver(WRAPS);
	}
	write();
	receiver(READS);
	write_while_it_reads();
	copy_before_it_is_found();
	EXPECT(test.errors, 0);
	ShutdownOS(E_OK);
}
