/* SPDX-License-Identifier: MIT */
/*
 * IOC between two cores. Messages come whole, once and in order, except messages that the sender
 * knows to be lost. The last value is whole, and no value comes after a later value.
 */
#include "several_cores.h"

#include "Ioc.h"

enum { MESSAGES = 300, VALUES = 300 };

static uint32_t sent, lost, written; /* written by the sender */

static struct wide numbered(uint64_t number)
{
	struct wide wide = { .number = number };

	for (unsigned i = 0; i < sizeof(wide.text); i++)
		wide.text[i] = (char)(number + i);
	return wide;
}

static void expect_whole(const struct wide *wide)
{
	struct wide expected = numbered(wide->number);

	for (unsigned i = 0; i < sizeof(expected.text); i++)
		EXPECT(wide->text[i], expected.text[i]);
}

TASK(SENDER)
{
	for (uint32_t number = 1; number <= MESSAGES; number++) {
		struct wide wide = numbered(number);
		Std_ReturnType status = IocSend_QUEUE(&wide);

		if (status != IOC_E_OK)
			EXPECT(status, IOC_E_LIMIT);
		count(status == IOC_E_OK ? &sent : &lost);
		if (number % 7 == 0)
			plf_relax();
	}
	for (uint32_t number = 1; number <= VALUES; number++) {
		struct wide wide = numbered(number);

		EXPECT(IocWrite_LAST(&wide), IOC_E_OK);
		show(&written, number);
		if (number % 3 == 0)
			plf_relax();
	}
	TerminateTask();
}

/* Checks that no further messages were lost than those that follow the last received message. */
static void receive_all(void)
{
	uint64_t before = 0;
	uint32_t received = 0, gaps = 0;

	while (look(&sent) + look(&lost) < MESSAGES || received < look(&sent)) {
		struct wide wide;
		Std_ReturnType status = IocReceive_QUEUE(&wide);

		if (status == IOC_E_NO_DATA) {
			plf_relax();
			continue;
		}
		expect_whole(&wide);
		CHECK(wide.number > before);
		if (wide.number > before + 1)
			gaps++;
		before = wide.number;
		received++;
		if (received % 11 == 0)
			plf_relax();
	}
	EXPECT(received, look(&sent));
	CHECK(gaps <= look(&lost));
}

static void read_all(void)
{
	uint64_t before = 0;

	while (before < VALUES) {
		uint32_t least = look(&written);
		struct wide wide;

		EXPECT(IocRead_LAST(&wide), IOC_E_OK);
		if (wide.number > 0)
			expect_whole(&wide);
		CHECK(wide.number >= before && wide.number >= least);
		before = wide.number;
		plf_relax();
	}
}

TASK(RECEIVER)
{
	receive_all();
	read_all();
	AWAIT(state_of(SENDER) == SUSPENDED);
	EXPECT(test.errors, 0);
	ShutdownAllCores(E_OK);
}
