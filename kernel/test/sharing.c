/* SPDX-License-Identifier: MIT */
/*
 * Resources with users in several servers. LO may overrun, and pays back. HI skips. A section keeps
 * out tasks of its server, as the policy says, and servers at or below the ceiling. The periods of
 * LO and HI begin together.
 */
#include "server_budget.h"

enum { US = 1000, PERIOD = 1000 * US, SLACK = 15 * US /* overhead of the kernel, on a board */ };

static volatile uint64_t asked_ns, entered_ns;
static volatile uint64_t to_use_ns; /* used by HI before ASKS asks */

TASK(ABOVE)
{
	mark('A');
	TerminateTask();
}

TASK(ASKS)
{
	mark('a');
	use_up_to(HI, to_use_ns);
	asked_ns = plf_user_now_ns();
	ALLOWED(GetResource(SHARED));
	entered_ns = plf_user_now_ns();
	mark('h');
	ALLOWED(GetResource(NESTED));
	ALLOWED(ActivateTask(BELOW));
	ALLOWED(ReleaseResource(NESTED));
	ALLOWED(ReleaseResource(SHARED));
	mark('r');
	TerminateTask();
}

TASK(BELOW)
{
	mark('b');
	TerminateTask();
}

TASK(PEER)
{
	mark('p');
	ALLOWED(GetResource(LOCAL));
	ALLOWED(ReleaseResource(LOCAL));
	TerminateTask();
}

/* PEER belongs to the same server and is more urgent. ASKS belongs to a more urgent server. */
static void keeps_out(void)
{
	await_budget(LO);
	to_use_ns = 400 * US;
	ALLOWED(GetResource(SHARED));
	ALLOWED(ActivateTask(PEER));
	ALLOWED(ActivateTask(ASKS));
	mark('m');
	ALLOWED(ReleaseResource(SHARED));
	mark('d');
	EXPECT_TRAIL("mahrbpd");
}

/*
 * ABOVE does not use the resource, but its server is kept out. The inner section changes nothing.
 */
static void keeps_out_a_server(void)
{
	await_budget(LO);
	ALLOWED(GetResource(SHARED));
	ALLOWED(ActivateTask(ABOVE));
	ALLOWED(GetResource(NESTED));
	mark('n');
	ALLOWED(ReleaseResource(NESTED));
	mark('o');
	ALLOWED(ReleaseResource(SHARED));
	EXPECT_TRAIL("noA");
}

/* A section of a resource of a single server keeps out no other server. */
static void local_one(void)
{
	await_budget(LO);
	ALLOWED(GetResource(LOCAL));
	ALLOWED(ActivateTask(PEER));
	ALLOWED(ActivateTask(ABOVE));
	mark('l');
	ALLOWED(ReleaseResource(LOCAL));
	EXPECT_TRAIL("Alp");
}

/* HI has nothing to run any more, so the section may last longer than X, which is 120 us. */
static void waits_no_more(void)
{
	await_budget(LO);
	ALLOWED(GetResource(SHARED));
	ALLOWED(SetRelAlarm(LATER, 20, 0));
	plf_spend(60 * US);
	ALLOWED(CancelAlarm(LATER));
	plf_spend(180 * US);
	ALLOWED(ReleaseResource(SHARED));
	EXPECT_TRAIL("");
}

/* The server has 20 us left, and uses 80 us, so it pays back 60 us. */
static void overruns(void)
{
	uint64_t began_ns, ended_ns, after_ns;

	await_budget(LO);
	began_ns = plf_user_now_ns();
	use_up_to(LO, 20 * US);
	ALLOWED(GetResource(SHARED));
	plf_spend(80 * US);
	EXPECT(left(LO), 0);
	ended_ns = plf_user_now_ns();
	CHECK(ended_ns - began_ns < 380 * US);
	ALLOWED(ReleaseResource(SHARED));
	after_ns = plf_user_now_ns();
	CHECK(after_ns - began_ns > PERIOD - SLACK);
	CHECK(left(LO) <= 241 * US);
	CHECK(left(LO) > 240 * US - 2 * SLACK);
	await_budget(LO); /* and only once */
	CHECK(left(LO) > 300 * US - SLACK);
}

/* If more than X is left, the task enters at once. */
static void enters(void)
{
	await_budget(LO);
	to_use_ns = 120 * US;
	ALLOWED(ActivateTask(ASKS));
	CHECK(entered_ns - asked_ns < SLACK);
	EXPECT_TRAIL("ahrb");
}

/* If less is left, it waits for the next budget. ABOVE and MAIN run meanwhile. */
static void skips(void)
{
	uint64_t began_ns;

	await_budget(LO);
	began_ns = plf_user_now_ns();
	to_use_ns = 100 * US;
	ALLOWED(SetRelAlarm(LATER, 500, 0));
	ALLOWED(ActivateTask(ASKS));
	mark('m');
	while (entered_ns < began_ns)
		plf_spend(US);
	CHECK(asked_ns - began_ns < 350 * US);
	CHECK(entered_ns - began_ns > PERIOD - SLACK);
	CHECK(entered_ns - began_ns < PERIOD + SLACK);
	EXPECT_TRAIL("amAhrb");
}

static volatile uint64_t until_ns, waited_ns;

TASK(SPENDS)
{
	while (plf_user_now_ns() < until_ns)
		plf_spend(US);
	TerminateTask();
}

/* LATE asks when 50 us are left, 20 us before its next budget. */
TASK(LATE)
{
	uint64_t asks_ns;

	until_ns = await_budget(REST) + 230 * US;
	use_up_to(REST, 50 * US);
	ALLOWED(ActivateTask(SPENDS));
	asks_ns = plf_user_now_ns();
	ALLOWED(GetResource(SHARED));
	waited_ns = plf_user_now_ns() - asks_ns;
	ALLOWED(ReleaseResource(SHARED));
	TerminateTask();
}

/* LATE resumes when its next budget comes, although the old budget is not used up yet. */
static void burns_while_it_waits(void)
{
	await_budget(LO);
	ALLOWED(ActivateTask(LATE));
	while (waited_ns == 0)
		plf_spend(US);
	CHECK(waited_ns > 20 * US - SLACK);
	CHECK(waited_ns < 20 * US + SLACK);
}

static void statuses(void)
{
	await_budget(LO);
	ALLOWED(GetResource(SHARED));
	REFUSED(GetResource(SHARED), E_OS_ACCESS, PLF_CALL_GET_RESOURCE);
	REFUSED(GetResource(LOCAL), E_OS_RESOURCE, PLF_CALL_GET_RESOURCE);
	REFUSED(TerminateTask(), E_OS_RESOURCE, PLF_CALL_TERMINATE_TASK);
	ALLOWED(GetResource(NESTED));
	REFUSED(ReleaseResource(SHARED), E_OS_NOFUNC, PLF_CALL_RELEASE_RESOURCE);
	ALLOWED(ReleaseResource(NESTED));
	ALLOWED(ReleaseResource(SHARED));
	ALLOWED(GetResource(LOCAL));
	REFUSED(GetResource(NESTED), E_OS_RESOURCE, PLF_CALL_GET_RESOURCE);
	ALLOWED(ActivateTask(ABOVE)); /* no section keeps ABOVE out */
	mark('1');
	ALLOWED(ActivateTask(PEER)); /* LOCAL keeps PEER out */
	mark('2');
	ALLOWED(ReleaseResource(LOCAL));
	EXPECT_TRAIL("A12p");
}

TASK(MAIN)
{
	keeps_out();
	keeps_out_a_server();
	local_one();
	waits_no_more();
	overruns();
	enters();
	skips();
	burns_while_it_waits();
	if (PLF_EXTENDED_STATUS)
		statuses();
	ShutdownOS(E_OK);
}
