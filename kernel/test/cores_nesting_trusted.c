/* SPDX-License-Identifier: MIT */
#include "cores_nesting.h"
#include "kernel/port.h"

static uint32_t times(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void has_run(uint32_t *word)
{
	__atomic_store_n(word, *word + 1, __ATOMIC_RELEASE);
}

/* Uses only registers. An interrupt may come between any two instructions. */
static uint64_t mix(void)
{
	uint64_t a = 1, b = 2, c = 3, d = 4;

	for (unsigned round = 0; round < 200; round++) {
		a = a * 6364136223846793005 + b;
		b = (b << 13 | b >> 51) ^ c;
		c += d ^ a >> 7;
		d = d * 31 + b;
		YIELD();
	}
	return a ^ b ^ c ^ d;
}

/*
 * Routines nest as deep as possible: each raises the next interrupt, and its frame must stay as it
 * was.
 */
enum { RUNGS = 5 };
static unsigned deepest;

static void climb(unsigned rung)
{
	volatile char room[7000];

	for (unsigned i = 0; i < sizeof(room); i++)
		room[i] = (char)rung;
	EXPECT(deepest, rung - 1);
	deepest = rung;
	plf_port_raise(11 + rung);
	EXPECT(deepest, RUNGS);
	for (unsigned i = 0; i < sizeof(room); i++)
		EXPECT(room[i], rung);
}

#define RUNG(number)                                                                               \
	ISR(RUNG##number)                                                                          \
	{                                                                                          \
		climb(number);                                                                     \
		EXPECT(GetISRID(), RUNG##number);                                                  \
	}
RUNG(1)
RUNG(2)
RUNG(3)
RUNG(4)
RUNG(5)

ALARMCALLBACK(RAISE)
{
	plf_port_raise(3);
}

ISR(WEAK0)
{
	uint64_t expected = mix();

	EXPECT(GetISRID(), WEAK0);
	SuspendOSInterrupts();
	plf_port_raise(5);
	EXPECT(times(&strong0), 0);
	ResumeOSInterrupts();
	EXPECT(times(&strong0), 1);
	plf_port_raise(4); /* an interrupt of the other core */
	while (times(&strong0) <= STORM)
		EXPECT(mix(), expected);
	EXPECT(GetISRID(), WEAK0);
	EXPECT(times(&weak0), 0);
	has_run(&weak0);
}

ISR(STRONG0)
{
	EXPECT(GetISRID(), STRONG0);
	EXPECT(GetCoreID(), 0);
	if (times(&strong0) == 0) {
		EXPECT(ActivateTask(OF_1), E_OK);
		plf_port_raise(11);
		EXPECT(deepest, RUNGS);
	}
	has_run(&strong0);
}

ISR(WEAK1)
{
	EXPECT(GetISRID(), WEAK1);
	EXPECT(GetCoreID(), 1);
	plf_port_raise(6);
	EXPECT(times(&strong1), 1);
	EXPECT(times(&lone1), 1);
	EXPECT(GetCoreID(), 1); /* the state that STRONG1 left is not held here */
	plf_port_raise(6);
	EXPECT(times(&strong1), 2);
	while (times(&strong0) <= STORM) {
		plf_port_raise(5);
		YIELD();
	}
	EXPECT(GetISRID(), WEAK1);
	has_run(&weak1);
}

ISR(STRONG1)
{
	EXPECT(GetISRID(), STRONG1);
	if (times(&strong1) == 0)
		plf_port_raise(7);
	EXPECT(times(&lone1), times(&strong1));
	has_run(&strong1);
	SuspendAllInterrupts();
}

ISR(LONE1)
{
	EXPECT(GetISRID(), LONE1);
	EXPECT(times(&strong1), 1);
	has_run(&lone1);
}
