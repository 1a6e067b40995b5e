/* SPDX-License-Identifier: MIT */
/*
 * A task writes any values into the words by which servers claim, for ever. It is interrupted a
 * nanosecond later each time. A more urgent server gets the core within X. A task of it that enters
 * finds no other task inside, except the foul task. The foul task's server gets no more than its
 * due.
 */
#include "check.h"
#include "plf_clock.h"
#include "plf_find.h"

enum { US = 1000, PERIOD = 1000 * US, SLACK = 15 * US, ROUNDS = 1500 };

volatile uint32_t faults;
volatile StatusType fault;

static volatile uint32_t rounds, entered;
static volatile uint64_t due_ns;
static volatile uint32_t owner;

/* The alarm of WITNESS comes while FOUL runs. Its budget is enough for all of its work. */
TASK(WITNESS)
{
	if (rounds)
		CHECK(plf_user_now_ns() - due_ns < 120 * US + SLACK);
	EXPECT(plf_find_page()->words.task, WITNESS);
	EXPECT(GetResource(SHARED), E_OK);
	EXPECT(owner, 0);
	owner = 1;
	plf_spend(US);
	EXPECT(owner, 1);
	owner = 0;
	EXPECT(ReleaseResource(SHARED), E_OK);
	if (++rounds == ROUNDS) {
		CHECK(entered > ROUNDS / 10);
		CHECK(faults > 0); /* FOUL was ended in a section that it did not leave */
		EXPECT(fault, E_OS_PROTECTION_LOCKED);
		ShutdownOS(E_OK);
	}
	due_ns = plf_user_now_ns() + PERIOD / 4 + rounds;
	EXPECT(SetRelAlarm(NEXT, PERIOD / 4 + rounds, 0), E_OK);
	if (rounds % 8 == 0)
		EXPECT(ActivateTask(MAIN), E_OK);
	(void)ActivateTask(FOUL);
	TerminateTask();
}

/*
 * MAIN belongs to the server of FOUL, and has a separate section. FOUL cannot change MAIN's words.
 */
TASK(MAIN)
{
	EXPECT(plf_find_page()->words.task, MAIN);
	EXPECT(GetResource(SHARED), E_OK);
	EXPECT(owner, 0);
	owner = 2;
	plf_spend(10 * US);
	EXPECT(owner, 2);
	owner = 0;
	EXPECT(ReleaseResource(SHARED), E_OK);
	entered++;
	TerminateTask();
}

static uint32_t garbage(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 30 ? state >> 24 & 3 : state;
}

TASK(FOUL)
{
	volatile uint32_t *word = (volatile uint32_t *)&plf_find_page()->global;

	for (;;) {
		for (unsigned i = 0; i < sizeof(struct plf_lazy_global) / sizeof(*word); i++)
			word[i] = garbage();
		plf_spend(garbage() % 64 ? 40 + garbage() % 64 : PERIOD);
		if (garbage() % 16 == 0)
			(void)plf_call0(PLF_CALL_AWAIT_BUDGET);
		if (garbage() % 16 == 0)
			(void)plf_call0(PLF_CALL_PREEMPT);
	}
}
