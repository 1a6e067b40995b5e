/* SPDX-License-Identifier: MIT */
/*
 * The answers of ProtectionHook where a budget ends: the application ends, with all that its tasks
 * have used, or the system. Where something comes too early: it is ignored, or the system ends.
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

/* The first time in a section, and with interrupts held back. */
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

/* It has used most of its budgets when its application ends, and has whole ones after that. */
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

/* No frame of before is left: GREEDY may be activated at once. */
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

/* MAIN keeps KEPT_OUT out, which ends before it begins: no task is left for which MAIN calls. */
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
