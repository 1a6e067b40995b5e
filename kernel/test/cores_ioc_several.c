/* SPDX-License-Identifier: MIT */
/*
 * IOC of two senders to a receiver: NEAR preempts it on its core, and FAR runs on another core.
 * Messages come whole and once, and the messages of a sender in order. The last value is whole.
 *
 * No value comes after a later value of the same sender. Nor does it come after a value that the
 * other sender began after this value was written.
 */
#include "several_cores.h"

#include "Ioc.h"

enum { MESSAGES = 200, VALUES = 200, SENDERS = 2, PACE = 5 };
enum { LOW = 0xffff }; /* bits of a number; the bits above are its sender */

struct counts {
	uint32_t sent, lost, written;
};

static struct counts counts[SENDERS]; /* each written by its sender */
static uint32_t is_reading, rounds;   /* written by the receiver */

static struct wide numbered(uint64_t sender, uint64_t number)
{
	struct wide wide = { .number = sender << 16 | number };

	for (unsigned i = 0; i < sizeof(wide.text); i++)
		wide.text[i] = (char)(number + sender + i);
	return wide;
}

/* Returns the sender. */
static unsigned expect_whole(const struct wide *wide)
{
	struct wide expected = numbered(wide->number >> 16, wide->number & LOW);

	CHECK(wide->number >> 16 < SENDERS);
	for (unsigned i = 0; i < sizeof(expected.text); i++)
		EXPECT(wide->text[i], expected.text[i]);
	return wide->number >> 16 & (SENDERS - 1);
}

static void send(TaskType sender, struct counts *own)
{
	struct wide wide = numbered(sender == FAR, own->sent + own->lost + 1);
	Std_ReturnType status =
		sender == FAR ? IocSend_QUEUE_FAR(&wide) : IocSend_QUEUE_NEAR(&wide);

	if (status != IOC_E_OK)
		EXPECT(status, IOC_E_LIMIT);
	count(status == IOC_E_OK ? &own->sent : &own->lost);
}

static void write(TaskType sender, struct counts *own)
{
	struct wide wide = numbered(sender == FAR, own->written + 1);

	EXPECT(sender == FAR ? IocWrite_LAST_FAR(&wide) : IocWrite_LAST_NEAR(&wide), IOC_E_OK);
	count(&own->written);
}

TASK(NEAR)
{
	if (look(&is_reading))
		write(NEAR, &counts[0]);
	else
		send(NEAR, &counts[0]);
	TerminateTask();
}

TASK(FAR)
{
	while (counts[1].sent + counts[1].lost < MESSAGES) {
		send(FAR, &counts[1]);
		if (counts[1].sent % 7 == 0)
			plf_relax();
	}
	AWAIT(look(&is_reading));
	while (counts[1].written < VALUES) {
		AWAIT(counts[1].written < PACE * look(&rounds));
		write(FAR, &counts[1]);
		if (counts[1].written % 3 == 0)
			plf_relax();
	}
	TerminateTask();
}

static bool is_all_sent(void)
{
	return look(&counts[1].sent) + look(&counts[1].lost) == MESSAGES &&
	       counts[0].sent + counts[0].lost == MESSAGES;
}

static bool receive_one(uint64_t before[SENDERS], uint32_t received[SENDERS])
{
	struct wide wide;
	unsigned sender;
	Std_ReturnType status = IocReceive_QUEUE(&wide);

	if (status == IOC_E_NO_DATA)
		return false;
	sender = expect_whole(&wide);
	CHECK(wide.number > before[sender]);
	before[sender] = wide.number;
	received[sender]++;
	return true;
}

static void receive_all(void)
{
	uint64_t before[SENDERS] = { 0 };
	uint32_t received[SENDERS] = { 0 };
	bool is_last = false;

	while (!is_last) {
		is_last = is_all_sent();
		if (counts[0].sent + counts[0].lost < MESSAGES)
			EXPECT(ActivateTask(NEAR), E_OK);
		while (receive_one(before, received))
			is_last = false;
		plf_relax();
	}
	for (unsigned sender = 0; sender < SENDERS; sender++)
		EXPECT(received[sender], look(&counts[sender].sent));
}

static void read_all(void)
{
	uint64_t before[SENDERS] = { 0 };
	uint32_t old = 0;   /* number of FAR's values written before NEAR's last value */
	uint32_t begun = 0; /* number of values that may have been begun before it was written */
	uint32_t least = 0; /* number of values before this read */

	for (uint32_t round = 0; least < VALUES; round++) {
		struct wide wide;
		unsigned sender;

		if (round % 3 == 0) {
			old = look(&counts[1].written);
			EXPECT(ActivateTask(NEAR), E_OK);
			begun = look(&counts[1].written) + 1;
		}
		least = look(&counts[1].written);
		EXPECT(IocRead_LAST(&wide), IOC_E_OK);
		sender = expect_whole(&wide);
		CHECK(wide.number >= before[sender]);
		before[sender] = wide.number;
		if (sender == 0)
			CHECK(wide.number == counts[0].written && least <= begun);
		else
			CHECK((wide.number & LOW) > old && (wide.number & LOW) >= least);
		show(&rounds, round + 1);
		plf_relax();
	}
}

TASK(RECEIVER)
{
	receive_all();
	show(&is_reading, 1);
	read_all();
	AWAIT(state_of(FAR) == SUSPENDED);
	EXPECT(test.errors, 0);
	ShutdownAllCores(E_OK);
}
