/* SPDX-License-Identifier: MIT */
/*
 * Budgets of holding interrupts back: AUTOSAR OS 4.x, SWS_Os_00037. Each lock has a whole one, of
 * the task's own time; and the execution has its own beside it.
 */
#include "plf_clock.h"
#include "timing.h"

/* On sim the kernel takes no time. */
enum { ON_BOARD = PLF_DRAW_NS > 0, SLACK = ON_BOARD * 1500 };

volatile uint32_t faults;
volatile StatusType fault;
volatile TaskType faulted;
volatile uint64_t fault_ns;

static void (*volatile play)(void); /* what FOUL, or UPPER, does */
static volatile uint64_t began_ns;

static void begin(void)
{
	began_ns = plf_user_now_ns();
}

static void go_on_for_ever(void)
{
	for (;;)
		plf_spend(7 * US);
}

TASK(UPPER)
{
	mark('u');
	play();
	mark('/');
	TerminateTask();
}

TASK(FOUL)
{
	mark('f');
	play();
	mark('.');
	TerminateTask();
}

static void ends(TaskType task, void (*part)(void), StatusType status, uint64_t after_ns,
		 const char *file, uint32_t line)
{
	uint64_t found_ns;

	play = part;
	test_allowed(ActivateTask(task), file, line);
	test_faulted(1, status, task, file, line);
	found_ns = fault_ns - began_ns;
	if (found_ns + SLACK < after_ns || found_ns > after_ns + SLACK)
		test_equal(found_ns, after_ns, file, line);
}

/* So long after begin() the task is ended. */
#define LOCKED(task, part, ns) ends(task, part, E_OS_PROTECTION_LOCKED, ns, __FILE__, __LINE__)
#define TIMED(task, part, ns)  ends(task, part, E_OS_PROTECTION_TIME, ns, __FILE__, __LINE__)

static void keeps_within(TaskType task, void (*part)(void), const char *file, uint32_t line)
{
	play = part;
	test_allowed(ActivateTask(task), file, line);
	test_equal(faults, 0, file, line);
}

#define KEEPS_WITHIN(task, part) keeps_within(task, part, __FILE__, __LINE__)

/* ---- A lock by itself ------------------------------------------------------------------ */

/* Each has a whole budget: what a task does at the instant of the end it has done. */
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

/* From the first of those that nest to the last. */
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

/* The inner one would end later. */
static void both(void)
{
	begin();
	SuspendOSInterrupts();
	plf_spend(40 * US);
	SuspendAllInterrupts();
	go_on_for_ever();
}

/* The inner one ends first. */
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
	KEEPS_WITHIN(FOUL, three_locks); /* the one before holds nothing back */
	LOCKED(FOUL, suspended, 50 * US);
	LOCKED(FOUL, suspended_os, 80 * US);
	LOCKED(FOUL, both, 80 * US);
	LOCKED(FOUL, both_at_once, 50 * US);
	EXPECT_TRAIL("f.ff.ffff");
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

static void for_long(void)
{
	plf_spend(1000 * US);
	SuspendOSInterrupts(); /* of that it has no budget */
	plf_spend(1000 * US);
	ResumeOSInterrupts();
}

/* In standard status it may wait then, and activate others: what these take is not its own. */
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

/* An alarm of when it holds them back comes when it is ended. */
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
	EXPECT_TRAIL("f.fu/");
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
