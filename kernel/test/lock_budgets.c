/* SPDX-License-Identifier: MIT */
/*
 * Budgets of holding interrupts back: AUTOSAR OS 4.x, SWS_Os_00037. Each lock has a full budget of
 * the task's own time. The budget of the execution is separate.
 */
#include "budget_ends.h"

/* ---- A single lock ----------------------------------------------------------------------- */

/* Each lock has a full budget. A task completes its work at the instant of the end. */
static void three_locks(void)
{
	DisableAllInterrupts();
	plf_spend(50 * US - SLACK);
	EnableAllInterrupts();
	SuspendAllInterrupts();
	plf_spend(50 * US - SLACK);
	ResumeAllInterrupts();
	SuspendOSInterrupts();
	plf_spend(80 * US - SLACK);
	ResumeOSInterrupts();
	plf_spend(10 * US);
}

static void disabled(void)
{
	begin();
	DisableAllInterrupts();
	go_on_for_ever();
}

/* The time counts from the first nested call to the last. */
static void suspended(void)
{
	SuspendAllInterrupts();
	ResumeAllInterrupts();
	plf_spend(30 * US);
	begin();
	SuspendAllInterrupts();
	plf_spend(20 * US);
	SuspendAllInterrupts();
	plf_spend(10 * US);
	DisableAllInterrupts();
	ResumeAllInterrupts();
	ResumeAllInterrupts();
	go_on_for_ever();
}

static void suspended_os(void)
{
	begin();
	SuspendOSInterrupts();
	plf_spend(20 * US);
	SuspendOSInterrupts();
	ResumeOSInterrupts();
	go_on_for_ever();
}

/* Another call at the instant of the end gives no more time. */
static void suspended_at_the_end(void)
{
	begin();
	SuspendAllInterrupts();
	plf_spend(50 * US);
	SuspendAllInterrupts();
	go_on_for_ever();
}

/* The inner lock would end later. */
static void both(void)
{
	begin();
	SuspendOSInterrupts();
	plf_spend(40 * US);
	SuspendAllInterrupts();
	go_on_for_ever();
}

/* The inner lock ends first. */
static void both_at_once(void)
{
	begin();
	SuspendOSInterrupts();
	SuspendAllInterrupts();
	go_on_for_ever();
}

static void a_lock_by_itself(void)
{
	KEEPS_WITHIN(FOUL, three_locks);
	LOCKED(FOUL, disabled, 50 * US);
	KEEPS_WITHIN(FOUL, three_locks); /* the ended task holds nothing back */
	LOCKED(FOUL, suspended, 50 * US);
	LOCKED(FOUL, suspended_os, 80 * US);
	LOCKED(FOUL, suspended_at_the_end, 50 * US);
	LOCKED(FOUL, both, 80 * US);
	LOCKED(FOUL, both_at_once, 50 * US);
	EXPECT_TRAIL("f.ff.fffff");
	LOCKED(UPPER, disabled, 20 * US);
	EXPECT_TRAIL("u");
}

/* ---- Beside other budgets ---------------------------------------------------------------- */

static void nothing_is_held(void)
{
	plf_spend(195 * US);
}

static void late(void)
{
	begin();
	plf_spend(180 * US);
	DisableAllInterrupts();
	go_on_for_ever();
}

/* The budgets of the lock and of the execution end at the same instant. */
static void at_once(void)
{
	begin();
	plf_spend(150 * US);
	DisableAllInterrupts();
	go_on_for_ever();
}

static void for_long(void)
{
	plf_spend(1000 * US);
	SuspendOSInterrupts(); /* for this service it has no budget */
	plf_spend(1000 * US);
	ResumeOSInterrupts();
}

/*
 * In standard status the task may then wait, and activate other tasks. Their time does not count.
 */
static void away(void)
{
	begin();
	ALLOWED(SetRelAlarm(WAKE, 40, 0));
	SuspendAllInterrupts();
	plf_spend(30 * US);
	ALLOWED(WaitEvent(GO));
	play = for_long;
	ALLOWED(ActivateTask(UPPER));
	go_on_for_ever();
}

/* An alarm that expires while the task holds it back comes when the task is ended. */
static void disabled_with_alarm(void)
{
	play = nothing_is_held;
	ALLOWED(SetRelAlarm(HELD, 20, 0));
	disabled();
}

static void beside_others(void)
{
	KEEPS_WITHIN(FOUL, nothing_is_held);
	TIMED(FOUL, late, 200 * US);
	KEEPS_WITHIN(UPPER, for_long);
	if (!ON_BOARD)
		TIMED(FOUL, at_once, 200 * US);
	EXPECT_TRAIL(ON_BOARD ? "f.fu/" : "f.fu/f");
	LOCKED(FOUL, disabled_with_alarm, 50 * US);
	plf_spend(US); /* on sim the timer comes while a task spends time */
	EXPECT_TRAIL("fu/");
	if (PLF_EXTENDED_STATUS)
		return;
	play = away;
	ALLOWED(ActivateTask(FOUL));
	plf_spend(20 * US);
	FAULTED(1, E_OS_PROTECTION_LOCKED, FOUL);
	CHECK(fault_ns - began_ns >= 2060 * US);
	CHECK(fault_ns - began_ns <= 2060 * US + 2 * SLACK);
	EXPECT_TRAIL("fu/");
}

TASK(MAIN)
{
	a_lock_by_itself();
	beside_others();
	ShutdownOS(E_OK);
}
