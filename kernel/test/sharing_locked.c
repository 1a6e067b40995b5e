/* SPDX-License-Identifier: MIT */
/*
 * Tasks that never leave a section of several servers: they are ended when it has lasted for X
 * since a server was found kept out, when X is used beyond the budget, and under skipping at the
 * end of the budget.
 */
#include "check.h"
#include "plf_clock.h"

enum { US = 1000, PERIOD = 1000 * US, SLACK = 15 * US /* of the kernel, on a board */ };

volatile uint32_t faults;
volatile StatusType fault;

static volatile uint64_t began_ns, asked_ns, ran_ns;
static volatile bool keeps_out;

static uint64_t left(ServerType server)
{
	uint64_t left_ns = 0;

	EXPECT(GetBudget(server, &left_ns), E_OK);
	return left_ns;
}

TASK(ASKS)
{
	ran_ns = plf_user_now_ns();
	EXPECT(GetResource(SHARED), E_OK);
	EXPECT(ReleaseResource(SHARED), E_OK);
	TerminateTask();
}

static void stay(void)
{
	began_ns = plf_user_now_ns();
	EXPECT(GetResource(SHARED), E_OK);
	if (keeps_out) {
		asked_ns = plf_user_now_ns();
		EXPECT(ActivateTask(ASKS), E_OK);
	}
	for (;;)
		plf_spend(US);
}

TASK(FOUL)
{
	stay();
}

TASK(GREEDY)
{
	stay();
}

static void await_period(void)
{
	uint64_t before = left(LO), now;

	while ((now = left(LO)) <= before) {
		plf_spend(US);
		before = now;
	}
}

static void expect_fault(void)
{
	EXPECT(faults, 1);
	EXPECT(fault, E_OS_PROTECTION_LOCKED);
	faults = 0;
}

TASK(MAIN)
{
	await_period();
	keeps_out = true;
	EXPECT(ActivateTask(FOUL), E_OK);
	expect_fault();
	CHECK(ran_ns - asked_ns >= 120 * US);
	CHECK(ran_ns - asked_ns < 120 * US + SLACK);

	keeps_out = false; /* 300 us are its budget, and X is 120 us; then the next one begins */
	await_period();
	EXPECT(ActivateTask(FOUL), E_OK);
	expect_fault();
	CHECK(plf_user_now_ns() - began_ns > PERIOD - SLACK);
	CHECK(left(LO) > 300 * US - SLACK);
	EXPECT(GetResource(SHARED), E_OK); /* what it claimed has gone with it */
	EXPECT(ActivateTask(ASKS), E_OK);
	EXPECT(ReleaseResource(SHARED), E_OK);

	await_period();
	EXPECT(ActivateTask(GREEDY), E_OK);
	expect_fault();
	CHECK(plf_user_now_ns() - began_ns >= 400 * US - SLACK);
	CHECK(plf_user_now_ns() - began_ns < 400 * US + SLACK);
	EXPECT(left(HI), 0);
	ShutdownOS(E_OK);
}
