/* SPDX-License-Identifier: MIT */
/*
 * The answers of ProtectionHook. If a budget ends, the application ends, with all budgets that its
 * tasks have used, or the system ends. If an arrival is too early, it is ignored, or the system
 * ends.
 */
#include "timing_answers.h"
#include "case.h"
#include "plf_clock.h"
#include "timing.h"

volatile uint32_t faults;
volatile StatusType fault;
volatile TaskType faulted;
volatile uint64_t fault_ns;

static volatile bool again; /* the application has restarted */

/* The first time GREEDY is in a section, and holds interrupts back. */
TASK(GREEDY)
{
	mark('g');
	if (again)
		TerminateTask();
	ALLOWED(GetResource(R));
	DisableAllInterrupts();
	for (;;)
		plf_spend(US);
}

/* PART has used most of its budgets when its application ends, and has full budgets afterwards. */
TASK(PART)
{
	mark('p');
	if (!again)
		SuspendAllInterrupts();
	plf_spend(80 * US);
	if (!again)
		ALLOWED(ActivateTask(GREEDY));
	mark('.');
	for (;;)
		plf_spend(US);
}

/* No earlier frame is left, so GREEDY may be activated at once. */
TASK(AGAIN)
{
	again = true;
	mark('a');
	FAULTED(1, E_OS_PROTECTION_TIME, GREEDY);
	ALLOWED(AllowAccess());
	ALLOWED(ActivateTask(GREEDY));
	if (TEST_CASE == TOO_EARLY)
		(void)ActivateTask(GREEDY);
	EXPECT(faults, 0);
	ALLOWED(ActivateTask(PART));
	TerminateTask();
}

TASK(KEPT_OUT)
{
	mark('!');
	TerminateTask();
}

static uint32_t next_level(void)
{
	return plf_load32(&plf_find_page()->words.nprio);
}

/*
 * MAIN keeps KEPT_OUT out, which ends before it begins. MAIN must not call the kernel for a task
 * that is gone.
 */
static void no_task_comes_next(void)
{
	ALLOWED(GetResource(R));
	ALLOWED(ActivateTask(KEPT_OUT));
	CHECK(next_level() > 0);
	ALLOWED(TerminateApplication(LATER, NO_RESTART));
	EXPECT(next_level(), 0);
	ALLOWED(ReleaseResource(R));
	EXPECT_TRAIL("");
}

TASK(MAIN)
{
	ApplicationStateType state = 99;

	ALLOWED(ActivateTask(PART));
	FAULTED(1, E_OS_PROTECTION_TIME, PART);
	ALLOWED(GetApplicationState(WORK, &state));
	EXPECT(state, APPLICATION_TERMINATED);
	EXPECT_TRAIL("pgagp.");
	no_task_comes_next();
	ShutdownOS(E_OK);
}
