/* SPDX-License-Identifier: MIT */
/*
 * Servers: the answers of GetBudget(), and the services that tasks may call for tasks of other
 * servers.
 */
#include "server_budget.h"

enum { MS = 1000000, SLACK = 50000 /* of the kernel, on a board */ };

TASK(STRANGER)
{
	mark('!');
	TerminateTask();
}

TASK(ABOVE)
{
	mark('a');
	TerminateTask();
}

TASK(WAITS)
{
	for (;;) {
		ALLOWED(WaitEvent(EV));
		ALLOWED(ClearEvent(EV));
		mark('w');
	}
}

TASK(PEER)
{
	mark('p');
	ChainTask(ABOVE);
}

TASK(BELOW)
{
	mark('b');
	REFUSED(ActivateTask(PEER), E_OS_ACCESS, PLF_CALL_ACTIVATE_TASK);
	TerminateTask();
}

static void budgets(void)
{
	uint64_t before = left(OWN), after;

	CHECK(before > 5 * MS && before <= 6 * MS);
	plf_spend(MS);
	after = left(OWN);
	CHECK(after <= before - MS && after + MS + SLACK > before);
	EXPECT(left(ALIEN), MS / 2);
	EXPECT(left(UNDER), MS);
	CHECK(left(TOP) > 2 * MS - SLACK);
}

static void no_server(void)
{
	uint64_t left_ns = 7;

	for (unsigned id = PLF_SERVERS; id < 256; id++)
		REFUSED(GetBudget((ServerType)id, &left_ns), E_OS_ID, PLF_CALL_GET_BUDGET);
	EXPECT(left_ns, 7);
	if (PLF_EXTENDED_STATUS) {
		REFUSED(GetBudget(OWN, NULL), E_OS_PARAM_POINTER, PLF_CALL_GET_BUDGET);
		SuspendAllInterrupts();
		REFUSED(GetBudget(OWN, &left_ns), E_OS_DISABLEDINT, PLF_CALL_GET_BUDGET);
		ResumeAllInterrupts();
	}
}

static void held_back(void)
{
	uint64_t left_ns = 7;

	if (!PLF_EXTENDED_STATUS)
		return;
	DisableAllInterrupts();
	REFUSED(GetBudget(OWN, &left_ns), E_OS_DISABLEDINT, PLF_CALL_GET_BUDGET);
	EnableAllInterrupts();
	EXPECT(left_ns, 7);
}

static void strangers(void)
{
	REFUSED(ActivateTask(STRANGER), E_OS_ACCESS, PLF_CALL_ACTIVATE_TASK);
	REFUSED(ChainTask(STRANGER), E_OS_ACCESS, PLF_CALL_CHAIN_TASK);
	REFUSED(SetEvent(STRANGER, EV), E_OS_ACCESS, PLF_CALL_SET_EVENT);
	REFUSED(SetRelAlarm(OF_ALIEN, 1, 0), E_OS_ACCESS, PLF_CALL_SET_REL_ALARM);
	REFUSED(SetAbsAlarm(OF_ALIEN, 1, 0), E_OS_ACCESS, PLF_CALL_SET_ABS_ALARM);
	REFUSED(CancelAlarm(OF_ALIEN), E_OS_ACCESS, PLF_CALL_CANCEL_ALARM);
	REFUSED(IncrementCounter(ALIENS), E_OS_ACCESS, PLF_CALL_INCREMENT_COUNTER);
	REFUSED(IncrementCounter(BOTH), E_OS_ACCESS, PLF_CALL_INCREMENT_COUNTER);
	ALLOWED(IncrementCounter(NONE));
	REFUSED(ActivateTask(PLF_TASKS), E_OS_ID, PLF_CALL_ACTIVATE_TASK);
	REFUSED(SetRelAlarm(PLF_ALARMS, 1, 0), E_OS_ID, PLF_CALL_SET_REL_ALARM);
	EXPECT_TRAIL("");
}

/*
 * A more urgent server gets the core at once, by whichever service. A less urgent server does not.
 */
static void more_urgent(void)
{
	ALLOWED(ActivateTask(ABOVE));
	mark('1');
	ALLOWED(SetEvent(WAITS, EV));
	mark('2');
	ALLOWED(ActivateTask(PEER));
	mark('3');
	ALLOWED(SetRelAlarm(OF_CALLS, 1, 0));
	ALLOWED(IncrementCounter(SOFT));
	mark('4');
	EXPECT_TRAIL("a1w2pa3a4");
}

/* Its own alarm makes an empty deferrable server the most urgent server. */
static void by_alarm(void)
{
	ALLOWED(SetRelAlarm(OF_TOP, 100, 0));
	plf_spend(50000);
	mark('1');
	plf_spend(100000);
	mark('2');
	ALLOWED(SetRelAlarm(OF_TOP, 100, 0));
	ALLOWED(CancelAlarm(OF_TOP));
	plf_spend(200000);
	EXPECT_TRAIL("1a2");
}

/*
 * An alarm of its own server, and an alarm of a less urgent server that is set later. The first
 * alarm comes when it is due.
 */
static void by_two_alarms(void)
{
	ALLOWED(SetRelAlarm(OF_PEER, 100, 0));
	ALLOWED(SetRelAlarm(OF_BELOW, 900, 0));
	plf_spend(50000);
	mark('1');
	plf_spend(100000);
	mark('2');
	ALLOWED(CancelAlarm(OF_BELOW));
	EXPECT_TRAIL("1pa2");
}

/* An alarm gives its server nothing to do. That server does not keep the core. */
static void by_refused_alarm(void)
{
	uint64_t before = plf_user_now_ns();

	ALLOWED(SetRelAlarm(OF_WAITS, 100, 0));
	plf_spend(200000);
	CHECK(plf_user_now_ns() - before < MS);
	EXPECT(test.errors, 1);
	EXPECT(test.error, E_OS_LIMIT);
	test.errors = 0;
}

/* Runs when the current server has used up its budget. */
static void less_urgent(void)
{
	uint64_t before = left(OWN);

	ALLOWED(ActivateTask(BELOW));
	plf_spend(before - MS / 2);
	mark('1');
	plf_spend(MS);
	mark('2');
	EXPECT_TRAIL("1b2");
	CHECK(left(OWN) > 5 * MS);
	EXPECT(left(ALIEN), MS / 2); /* the rest does not add up */
}

TASK(MAIN)
{
	budgets();
	no_server();
	held_back();
	strangers();
	more_urgent();
	by_alarm();
	by_two_alarms();
	by_refused_alarm();
	less_urgent();
	ShutdownOS(E_OK);
}
