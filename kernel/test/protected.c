/* SPDX-License-Identifier: MIT */
/*
 * Protected functions: values, rights, nested calls, preemption by a task that calls the same
 * function, and all that a callee must not do to its caller. MAIN belongs to CONTROL.
 */
#include "protected.h"

static uint64_t do_it(enum act act)
{
	uint64_t value = 0;

	ALLOWED(Call_DO(act, 77, 0, 0, &value));
	return value;
}

static void passes_words(uint64_t stored)
{
	static const uint64_t all[4] = { 1, UINT64_MAX, 0, UINT64_C(1) << 40 };
	uint64_t value = 0;

	ALLOWED(Call_READ(1, 2, 3, 4, &value));
	EXPECT(value, 4321);
	ALLOWED(CallNonTrustedFunction(READ, all, &value));
	EXPECT(value, 1 - UINT64_C(10) + 1000 * all[3]);
	ALLOWED(Call_LOAD(0, 0, 0, 0, &value));
	EXPECT(value, stored);
}

/* This function needs a frame pointer, which a call must not clear. */
static void calls_with_a_stack_of_any_size(void)
{
	volatile uint64_t *words = __builtin_alloca(sizeof(*words) * (1 + (test.errors & 1)));
	uint64_t value = 0;

	words[0] = 5;
	ALLOWED(Call_READ(words[0], 0, 0, 0, &value));
	EXPECT(value, words[0]);
}

static void changes_the_current_application(void)
{
	uint64_t calls = 0;

	ALLOWED(Call_ASK(0, 0, 0, 0, &calls));
	EXPECT(calls, 3);
	EXPECT(GetApplicationID(), CONTROL);
	EXPECT(GetCurrentApplicationID(), CONTROL);
}

static void calls_in_a_call(void)
{
	uint64_t value = 0;

	EXPECT(do_it(NESTS), 77);
	EXPECT_TRAIL("([])");
	ALLOWED(Call_LOAD(0, 0, 0, 0, &value));
	EXPECT(value, 77);
	EXPECT(do_it(ASKS_OTHER), 77);
	EXPECT_TRAIL("()");
}

static void is_preempted(void)
{
	EXPECT(do_it(ACTIVATES), 77);
	EXPECT_TRAIL("(hH)");
	EXPECT(do_it(RAISES), 77);
	EXPECT_TRAIL("(ihH)");
	EXPECT(found.in_handler, E_OS_CALLEVEL);
}

/* The caller's section lasts beyond the call. HIGH does not use R, and SAME may not run. */
static void calls_in_a_section(void)
{
	ALLOWED(GetResource(R));
	EXPECT(do_it(LOCKS), 77);
	EXPECT(do_it(ACTIVATES), 77);
	EXPECT_TRAIL("()(hH)");
	ALLOWED(ReleaseResource(R));
}

static void keeps_its_caller(void)
{
	EXPECT(do_it(ENDS_TASK), 77);
	EXPECT(do_it(WAITS), 77);
	EXPECT(do_it(MASKS), 77);
	EXPECT_TRAIL("()()()");
}

/* Any number, as a foul task passes it to the kernel. */
static void refused_number(uintptr_t function)
{
	struct plf_result result = plf_call_function(function, 1, 2, 3, 4);

	REFUSED((StatusType)result.status, E_OS_SERVICEID, OSServiceId_CallNonTrustedFunction);
	EXPECT(result.value, 0);
}

static void refuses_numbers(void)
{
	const uint64_t arguments[4] = { 0 };
	uint64_t value = 3;

	refused_number(PLF_PROTECTED_FUNCTIONS);
	refused_number(256 + READ);
	refused_number(UINT32_MAX);
	refused_number((UINT64_C(1) << 32) + READ);
	refused_number(UINTPTR_MAX - 1000);
	REFUSED(CallNonTrustedFunction(200, arguments, &value), E_OS_SERVICEID,
		OSServiceId_CallNonTrustedFunction);
	EXPECT(found.function, 200);
	REFUSED(Call_KEEP(0, 0, 0, 0, &value), E_OS_ACCESS, OSServiceId_CallNonTrustedFunction);
	EXPECT(found.function, KEEP);
	EXPECT(value, 3);
}

static void refuses_where_none_may_call(void)
{
	uint64_t value = 3;

	SuspendOSInterrupts();
	REFUSED(Call_READ(1, 2, 3, 4, &value), E_OS_DISABLEDINT,
		OSServiceId_CallNonTrustedFunction);
	REFUSED(Call_KEEP(1, 2, 3, 4, &value), E_OS_DISABLEDINT,
		OSServiceId_CallNonTrustedFunction);
	ResumeOSInterrupts();
	DisableAllInterrupts();
	REFUSED(Call_READ(1, 2, 3, 4, &value), E_OS_DISABLEDINT,
		OSServiceId_CallNonTrustedFunction);
	EnableAllInterrupts();
	EXPECT(value, 3);
	found.calls = true;
	REFUSED(ActivateTask(INVALID_TASK), E_OS_ID, OSServiceId_ActivateTask);
	EXPECT(found.in_hook, E_OS_CALLEVEL);
	ALLOWED(Call_READ(1, 0, 0, 0, &value));
	EXPECT(value, 1);
}

TASK(SAME)
{
	TerminateTask();
}

TASK(MAIN)
{
	passes_words(0);
	calls_with_a_stack_of_any_size();
	changes_the_current_application();
	calls_in_a_call();
	is_preempted();
	calls_in_a_section();
	keeps_its_caller();
	refuses_numbers();
	refuses_where_none_may_call();
	passes_words(77);
	ShutdownOS(E_OK);
}
