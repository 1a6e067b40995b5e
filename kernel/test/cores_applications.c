/* SPDX-License-Identifier: MIT */
/*
 * An application ends on its core, while another core activates and wakes its tasks, and requests a
 * lock that they hold. DRIVER is on the core of WORK, and MAIN on the other core.
 */
#include "several_cores.h"

enum { OF_SENDS = 1 << 5, OF_WAKES = 1 << 6, OF_ENDS_WORK = 1 << 7 };

/* Progress of each, with a single writer. */
static uint32_t driven, done_by_main;
static uint32_t spins;	     /* runs of SPINS */
static bool ends_in_section; /* action of ENDS */

static void has_state(ApplicationStateType expected)
{
	ApplicationStateType state = 99;

	ALLOWED(GetApplicationState(WORK, &state));
	EXPECT(state, expected);
}

/* ---- WORK ------------------------------------------------------------------------ */

/*
 * WAITS begins and waits while WORK restarts. A core that was allowed to set its event completes
 * that.
 */
TASK(WAITS)
{
	mark('w');
	EXPECT(WaitEvent(EV), E_OK);
	mark('W');
	TerminateTask();
}

/* No state is left, not even of MAIN's messages. WORK is closed to MAIN. */
TASK(REVIVE)
{
	TickType ticks;

	mark('r');
	has_state(APPLICATION_RESTARTING);
	EXPECT(state_of(HIGH), SUSPENDED);
	EXPECT(state_of(HELD), SUSPENDED);
	EXPECT(state_of(LOW), SUSPENDED);
	EXPECT(state_of(SPINS), SUSPENDED);
	REFUSED(GetAlarm(WORKS, &ticks), E_OS_NOFUNC, OSServiceId_GetAlarm);
	ALLOWED(ActivateTask(WAITS));
	SuspendAllInterrupts(); /* keeps MAIN's message in the inbox */
	count(&driven);
	AWAIT(look(&done_by_main) == look(&driven));
	if (PLF_EXTENDED_STATUS)
		ResumeAllInterrupts();
	ALLOWED(AllowAccess());
	ResumeAllInterrupts();
	EXPECT(state_of(LOW), SUSPENDED);
	EXPECT(state_of(WAITS), SUSPENDED);
	TerminateTask();
}

/* ENDS ends WORK inside a section of all cores, or while HELD is in that section. */
TASK(ENDS)
{
	mark('e');
	if (ends_in_section)
		(void)GetSpinlock(S);
	(void)TerminateApplication(WORK, RESTART);
	mark('!');
}

TASK(HIGH)
{
	mark('h');
	(void)WaitEvent(EV);
	mark('H');
	TerminateTask();
}

/* DRIVER preempts HELD, which holds S then only because it leaves W too early. */
TASK(HELD)
{
	mark('(');
	if (!PLF_EXTENDED_STATUS) {
		(void)GetResource(W);
		(void)GetSpinlock(S);
		(void)ReleaseResource(W);
	}
	(void)SetEvent(DRIVER, GO);
	mark('!');
	TerminateTask();
}

TASK(LOW)
{
	mark('l');
	TerminateTask();
}

/* MAIN holds the lock. A handler of this core ends WORK meanwhile. */
TASK(SPINS)
{
	mark('s');
	count(&spins);
	(void)GetSpinlock(S);
	mark('!');
}

/* ---- Other tasks of WORK's core -------------------------------------------------- */

TASK(LAST)
{
	(void)SetEvent(DRIVER, GO);
	TerminateTask();
}

/* A task of another application, of which nothing is dropped. */
TASK(BESIDE)
{
	mark('b');
	TerminateTask();
}

static void wait_for_go(void)
{
	EXPECT(WaitEvent(GO), E_OK);
	EXPECT(ClearEvent(GO), E_OK);
}

static void wait_for_all(void)
{
	ALLOWED(ActivateTask(LAST));
	wait_for_go();
}

/* Give MAIN a turn. */
static void let_main(void)
{
	count(&driven);
	AWAIT(look(&done_by_main) == look(&driven));
}

static void make_busy(void)
{
	ALLOWED(ActivateTask(HIGH));
	ALLOWED(ActivateTask(HELD));
	wait_for_go();
	EXPECT_TRAIL("h(");
	ALLOWED(SetRelAlarm(WORKS, 1, 1));
	ALLOWED(ActivateTask(LOW));
}

/* Except in extended status, MAIN's messages are still in the inbox when WORK ends. */
static void ends_with(RestartType option)
{
	make_busy();
	SuspendAllInterrupts();
	let_main();
	if (PLF_EXTENDED_STATUS)
		ResumeAllInterrupts();
	EXPECT(TerminateApplication(WORK, option), E_OK);
	ResumeAllInterrupts();
}

/* All tasks can begin again. */
static void goes_on(void)
{
	let_main();
	wait_for_all();
	let_main();
	wait_for_all();
	EXPECT_TRAIL("hHlll");
}

/* ENDS ends its own application WORK. */
static void ends_itself(bool in_section)
{
	ends_in_section = in_section;
	ALLOWED(ActivateTask(ENDS));
	EXPECT_TRAIL("erwWb");
	let_main();
}

static void ends_itself_when_busy(void)
{
	make_busy();
	let_main();
	ends_itself(false);
}

static void ends_while_it_spins(void)
{
	let_main();
	ALLOWED(ActivateTask(SPINS));
	wait_for_all();
	EXPECT_TRAIL("srwWb");
	let_main();
}

/* Nothing comes afterwards. */
static void ends_for_good(void)
{
	ends_with(NO_RESTART);
	let_main();
	wait_for_all();
	EXPECT_TRAIL("b");
	REFUSED(ActivateTask(LOW), E_OS_ACCESS, OSServiceId_ActivateTask);
}

TASK(DRIVER)
{
	let_main();
	ends_with(RESTART);
	EXPECT_TRAIL("rwWb");
	let_main();
	goes_on();
	ends_itself(true);
	ends_itself_when_busy();
	ends_while_it_spins();
	ends_for_good();
	count(&driven);
	TerminateTask();
}

/* ---- On the other core --------------------------------------------------------------- */

static void next_turn(void)
{
	AWAIT(look(&driven) == done_by_main + 1);
}

static void end_turn(void)
{
	count(&done_by_main);
}

/* A task of WORK waits, and LOW has a pending activation. */
static void send_all(void)
{
	next_turn();
	ALLOWED(ActivateTask(LOW));
	ALLOWED(ActivateTask(LOW));
	REFUSED(ActivateTask(LOW), E_OS_LIMIT, OSServiceId_ActivateTask);
	ALLOWED(SetEvent(HIGH, EV));
	end_turn();
}

static void is_closed(ApplicationStateType state)
{
	next_turn();
	has_state(state);
	REFUSED(ActivateTask(LOW), E_OS_ACCESS, OSServiceId_ActivateTask);
	REFUSED(SetEvent(HIGH, EV), E_OS_ACCESS, OSServiceId_SetEvent);
	REFUSED(TerminateApplication(WORK, NO_RESTART), E_OS_CORE,
		OSServiceId_TerminateApplication);
	ALLOWED(SetRelAlarm(SIGNALS, 1, 0));
	EXPECT(IncrementCounter(NEAR), E_OK);
	EXPECT(test.errors, 1);
	EXPECT(test.error, E_OS_ACCESS);
	test.errors = 0;
	raise_interrupts(OF_SENDS); /* its message is dropped, at the latest when WORK opens */
	if (state == APPLICATION_RESTARTING)
		raise_interrupts(OF_WAKES);
	ALLOWED(ActivateTask(BESIDE));
	end_turn();
}

/* The holder of the lock has ended. */
static void takes_lock(void)
{
	next_turn();
	EXPECT(GetSpinlock(S), E_OK);
	EXPECT(ReleaseSpinlock(S), E_OK);
	end_turn();
}

/* SPINS is next for the lock, but ends before MAIN leaves. */
static void holds_lock(void)
{
	next_turn();
	EXPECT(GetSpinlock(S), E_OK);
	end_turn();
	AWAIT(look(&spins));
	for (unsigned i = 0; i < 20; i++)
		plf_relax();
	raise_interrupts(OF_ENDS_WORK);
	is_closed(APPLICATION_RESTARTING);
	EXPECT(ReleaseSpinlock(S), E_OK);
	takes_lock();
}

static void activates_all(void)
{
	next_turn();
	ALLOWED(ActivateTask(HIGH));
	end_turn();
	next_turn();
	EXPECT(state_of(HIGH), WAITING);
	ALLOWED(SetEvent(HIGH, EV));
	ALLOWED(ActivateTask(LOW));
	ALLOWED(ActivateTask(LOW));
	ALLOWED(ActivateTask(LOW));
	end_turn();
}

TASK(MAIN)
{
	next_turn();
	has_state(APPLICATION_ACCESSIBLE);
	REFUSED(TerminateApplication(WORK, 2), E_OS_VALUE, OSServiceId_TerminateApplication);
	REFUSED(TerminateApplication(WORK, RESTART), E_OS_CORE, OSServiceId_TerminateApplication);
	end_turn();
	send_all();
	is_closed(APPLICATION_RESTARTING);
	takes_lock();
	activates_all();
	is_closed(APPLICATION_RESTARTING);
	takes_lock();
	send_all();
	is_closed(APPLICATION_RESTARTING);
	takes_lock();
	holds_lock();
	send_all();
	is_closed(APPLICATION_TERMINATED);
	next_turn();
	ShutdownAllCores(E_OK);
}
