/* SPDX-License-Identifier: MIT */
/*
 * Tasks that never leave a section of several servers. They are ended when it has lasted for X
 * since a server was kept out, or when X is used beyond the budget. Under skipping they are ended
 * at the end of the budget.
 */
#include "check.h"
#include "plf_clock.h"

enum { US = 1000, PERIOD = 1000 * US, SLACK = 15 * US /* overhead of the kernel, on a board */ };

volatile uint32_t faults;
volatile StatusType fault;

static volatile uint64_t began_ns, asked_ns, ran_ns;
static volatile bool keeps_out, is_second_inside;
static volatile uint64_t to_use_ns; /* used by LO before FOUL keeps ASKS out */

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

static void go_on_for_ever(void)
{
	for (;;)
		plf_spend(US);
}

/* A second call changes nothing. */
static void keep_out(void)
{
	while (left(LO) > to_use_ns)
		plf_spend(US);
	asked_ns = plf_user_now_ns();
	EXPECT(ActivateTask(ASKS), E_OK);
	plf_spend(50 * US);
	EXPECT(ActivateTask(ASKS), E_OK);
}

TASK(FOUL)
{
	began_ns = plf_user_now_ns();
	EXPECT(GetResource(SHARED), E_OK);
	if (keeps_out)
		keep_out();
	go_on_for_ever();
}

/* SHARED keeps other tasks of the server out, but not this task. */
TASK(ABOVE)
{
	EXPECT(GetResource(SECOND), E_OK);
	go_on_for_ever();
}

TASK(GREEDY)
{
	began_ns = plf_user_now_ns();
	EXPECT(GetResource(SHARED), E_OK);
	if (is_second_inside)
		EXPECT(ActivateTask(ABOVE), E_OK);
	go_on_for_ever();
}

static void await_period(void)
{
	uint64_t before = left(LO), now;

	while ((now = left(LO)) <= before) {
		plf_spend(US);
		before = now;
	}
}

static void expect_faults(unsigned expected)
{
	EXPECT(faults, expected);
	EXPECT(fault, E_OS_PROTECTION_LOCKED);
	faults = 0;
}

static void expect_fault(void)
{
	expect_faults(1);
}

/* The section ends X later, also if an overrun begins meanwhile. */
static void keeps_out_with(uint64_t left_ns)
{
	await_period();
	to_use_ns = left_ns;
	EXPECT(ActivateTask(FOUL), E_OK);
	expect_fault();
	CHECK(ran_ns - asked_ns >= 120 * US);
	CHECK(ran_ns - asked_ns < 120 * US + SLACK);
}

/* Both sections last to the end of the budget. */
static void stays_in_two(void)
{
	await_period();
	is_second_inside = true;
	EXPECT(ActivateTask(GREEDY), E_OK);
	expect_faults(2);
	CHECK(plf_user_now_ns() - began_ns < 400 * US + SLACK);
	EXPECT(left(HI), 0);
}

TASK(MAIN)
{
	keeps_out = true;
	keeps_out_with(300 * US);
	keeps_out_with(70 * US);

	keeps_out = false; /* its budget is 300 us, and X is 120 us; then the next budget begins */
	await_period();
	EXPECT(ActivateTask(FOUL), E_OK);
	expect_fault();
	CHECK(plf_user_now_ns() - began_ns > PERIOD - SLACK);
	CHECK(left(LO) > 300 * US - SLACK);
	EXPECT(GetResource(SHARED), E_OK); /* its claim has ended with it */
	EXPECT(ActivateTask(ASKS), E_OK);
	EXPECT(ReleaseResource(SHARED), E_OK);

	await_period();
	EXPECT(ActivateTask(GREEDY), E_OK);
	expect_fault();
	CHECK(plf_user_now_ns() - began_ns >= 400 * US - SLACK);
	CHECK(plf_user_now_ns() - began_ns < 400 * US + SLACK);
	EXPECT(left(HI), 0);
	stays_in_two();
	ShutdownOS(E_OK);
}
