/* SPDX-License-Identifier: MIT */
/*
 * CallTrustedFunction and CheckTaskMemoryAccess: AUTOSAR OS 4.x, Section 8.4. MAIN belongs to
 * CONTROL. The functions belong to DRIVER, which may use HIGH of COMFORT, and to ENDS.
 */
#include "functions.h"

DeclareTask(MAIN);
struct found found;

TASK(HIGH)
{
	mark('h');
	EXPECT(GetCurrentApplicationID(), COMFORT);
	TerminateTask();
}

TASK(CLOSED)
{
	mark('!');
	TerminateTask();
}

static StatusType do_it(enum act act)
{
	return CallTrustedFunction(DO, &act);
}

static void passes_index_and_parameters(void)
{
	struct reading reading = { 0 };

	ALLOWED(CallTrustedFunction(READ, &reading));
	EXPECT_TRAIL("R");
	EXPECT(reading.index, READ);
	EXPECT(reading.task, MAIN);
	EXPECT(reading.isr, INVALID_ISR);
}

/*
 * GetApplicationID() returns the caller's application, and GetCurrentApplicationID() that of the
 * function.
 */
static void changes_the_current_application(void)
{
	struct reading reading = { 0 };

	EXPECT(GetApplicationID(), CONTROL);
	EXPECT(GetCurrentApplicationID(), CONTROL);
	ALLOWED(CallTrustedFunction(READ, &reading));
	EXPECT_TRAIL("R");
	EXPECT(reading.caller, CONTROL);
	EXPECT(reading.current, DRIVER);
	EXPECT(reading.after_error, DRIVER);
	EXPECT(found.error_caller, CONTROL);
	EXPECT(found.error_current, DRIVER);
	EXPECT(GetApplicationID(), CONTROL);
	EXPECT(GetCurrentApplicationID(), CONTROL);
}

/*
 * In standard status, too. Tasks that it makes ready run after it, and before its caller resumes.
 */
static void has_the_rights_of_its_application(void)
{
	REFUSED(ActivateTask(HIGH), E_OS_ACCESS, OSServiceId_ActivateTask);
	ALLOWED(do_it(ACTIVATES));
	EXPECT_TRAIL("Ah");
	ALLOWED(do_it(REFUSES));
	EXPECT_TRAIL("");
	ALLOWED(do_it(ALLOWS));
	REFUSED(ActivateTask(HIGH), E_OS_ACCESS, OSServiceId_ActivateTask);
}

static void holds_interrupts_back(void)
{
	ALLOWED(do_it(RAISES));
	EXPECT_TRAIL("DiRAjh");
	EXPECT(found.reading.index, READ);
	EXPECT(found.reading.caller, LISTENS);
	EXPECT(found.reading.current, DRIVER);
	EXPECT(found.reading.after_error, DRIVER);
	EXPECT(found.reading.isr, COMES);
}

/* Also in a section of the caller, which is still inside after the function. */
static void goes_on_in_its_section(void)
{
	ALLOWED(GetResource(R));
	ALLOWED(do_it(ACTIVATES));
	EXPECT_TRAIL("Ah");
	ALLOWED(ReleaseResource(R));
}

static void lets_callbacks_run(void)
{
	uint32_t news = 0;

	ALLOWED(do_it(EXPIRES));
	EXPECT_TRAIL("cEh");
	EXPECT(found.in_callback, E_OS_CALLEVEL);
	ALLOWED(do_it(SENDS));
	EXPECT_TRAIL("mS");
	EXPECT(found.in_message, E_OS_CALLEVEL);
	ALLOWED(ReceiveMessage(NEWS_LAST, &news));
	EXPECT(news, 77);
}

/* Any index, as a foul task passes it to the kernel. */
static void refused_index(uintptr_t index)
{
	StatusType status = (StatusType)plf_call2(PLF_CALL_CALL_TRUSTED_FUNCTION, index, 0).status;

	REFUSED(status, E_OS_SERVICEID, OSServiceId_CallTrustedFunction);
}

static void refuses_numbers(void)
{
	uint8_t data;

	refused_index(PLF_TRUSTED_FUNCTIONS);
	refused_index(256 + READ);
	refused_index(UINT32_MAX);
	refused_index((UINT64_C(1) << 32) + DO);
	refused_index(UINTPTR_MAX);
	REFUSED(CallTrustedFunction(7, &data), E_OS_SERVICEID, OSServiceId_CallTrustedFunction);
	EXPECT(found.function, 7);
	EXPECT(found.parameters, &data);
	EXPECT_TRAIL("");
}

static void refuses_in_order(void)
{
	EXPECT(found.in_hook, E_OS_CALLEVEL);
	EXPECT(found.access_in_hook, 0);
	EXPECT(found.task, MAIN);
	EXPECT(found.address, &test);
	EXPECT(found.size, sizeof(test));
	if (!PLF_EXTENDED_STATUS)
		return;
	SuspendOSInterrupts();
	REFUSED(CallTrustedFunction(READ, NULL), E_OS_DISABLEDINT, OSServiceId_CallTrustedFunction);
	REFUSED(CallTrustedFunction(7, NULL), E_OS_DISABLEDINT, OSServiceId_CallTrustedFunction);
	EXPECT(CheckTaskMemoryAccess(MAIN, &test, 1), 0);
	EXPECT(test.errors, 1);
	test.errors = 0;
	ResumeOSInterrupts();
}

static void says_what_a_task_may_do(void)
{
	static uint32_t shared;
	uint32_t local = 0;
	AccessType access = CheckTaskMemoryAccess(MAIN, &shared, sizeof(shared));

	CHECK(OSMEMORY_IS_READABLE(access));
	CHECK(OSMEMORY_IS_WRITEABLE(access));
	CHECK(!OSMEMORY_IS_STACKSPACE(access));
	access = CheckTaskMemoryAccess(MAIN, &local, sizeof(local));
	CHECK(OSMEMORY_IS_WRITEABLE(access));
	CHECK(OSMEMORY_IS_STACKSPACE(access));
	CHECK(!OSMEMORY_IS_STACKSPACE(CheckTaskMemoryAccess(HIGH, &local, sizeof(local))));
	access = CheckTaskMemoryAccess(MAIN, (const void *)(uintptr_t)plf_task_MAIN, 4);
	CHECK(OSMEMORY_IS_READABLE(access));
	CHECK(OSMEMORY_IS_EXECUTABLE(access));
	CHECK(OSMEMORY_IS_READABLE(CheckTaskMemoryAccess(MAIN, &shared, 1)));
	EXPECT(CheckTaskMemoryAccess(PLF_TASKS, &shared, 1), 0);
	EXPECT(CheckTaskMemoryAccess(INVALID_TASK, &shared, 1), 0);
	EXPECT(CheckTaskMemoryAccess(MAIN, &shared, 0), 0);
	EXPECT(CheckTaskMemoryAccess(MAIN, &shared, SIZE_MAX), 0);
	EXPECT(CheckTaskMemoryAccess(MAIN, &shared, SIZE_MAX - (uintptr_t)&shared + 2), 0);
	EXPECT(test.errors, 0);
}

TASK(REVIVE)
{
	mark('r');
	ALLOWED(CallTrustedFunction(LAST, NULL));
	TerminateTask();
}

TASK(ENDER)
{
	ALLOWED(CallTrustedFunction(LAST, NULL));
	(void)TerminateApplication(ENDS, RESTART);
}

/* While its application restarts, only that application may call the function. */
static void ends_with_its_application(void)
{
	ALLOWED(CallTrustedFunction(LAST, NULL));
	ALLOWED(ActivateTask(ENDER));
	EXPECT_TRAIL("LLrL");
	REFUSED(CallTrustedFunction(LAST, NULL), E_OS_ACCESS, OSServiceId_CallTrustedFunction);
	REFUSED(CallTrustedFunction(LAST + 1, NULL), E_OS_SERVICEID,
		OSServiceId_CallTrustedFunction);
	ALLOWED(do_it(ALLOWS));
	EXPECT_TRAIL("");
}

TASK(MAIN)
{
	passes_index_and_parameters();
	changes_the_current_application();
	has_the_rights_of_its_application();
	holds_interrupts_back();
	goes_on_in_its_section();
	lets_callbacks_run();
	refuses_numbers();
	refuses_in_order();
	says_what_a_task_may_do();
	ends_with_its_application();
	ShutdownOS(E_OK);
}
