/* SPDX-License-Identifier: MIT */
/*
 * Protected functions on a board that protects memory. A callee with a fault returns to its caller
 * by force, whatever it did before. No registers go in or out except those of a call. An interrupt
 * at each instruction of calls leads to another task in the same functions.
 */
#include "foul_protected.h"

#include "case.h"
#include "foul.h"

enum { RETURNS, IS_NOT_INSIDE, IS_NOT_IGNORED };
enum { PATTERN = 0x1000, OF_MAIN = 0x1234 };

extern char plf_callee_high_10[]; /* stack of MAIN in BROKEN: system.c has the numbers */
extern char plf_stack_high_MAIN[];

static uint64_t secret = 42; /* belongs to CONTROL */
static uint64_t own TASK_DATA(MAIN);
static volatile uint32_t worked, summed;
static uint64_t seen[REGISTERS];

/* The processor has a separate class for these faults, which are no memory faults. */
static StatusType fault_of(enum attempt attempt)
{
	switch (attempt) {
	case OVERFLOWS:
	case LOSES_STACK:
	case TAKES_CALLERS_STACK:
		return E_OS_STACKFAULT;
	case ENTERS_KERNELS_MODE:
		return E_OS_PROTECTION_EXCEPTION;
	default:
		return E_OS_PROTECTION_MEMORY;
	}
}

static void succeeds(void)
{
	uint64_t value = 0;

	ALLOWED(Call_TRY(SUCCEEDS, 0, 0, 0, &value));
	EXPECT(value, ANSWER);
	EXPECT(GetCurrentApplicationID(), CONTROL);
}

static void try(enum attempt attempt)
{
	StatusType expected = fault_of(attempt);
	volatile uint64_t local = 0x10ca1;
	uint64_t value = 5;

	mark((char)('a' + attempt)); /* for the report of a failure */
	shared.on_stack = (uintptr_t)&local;
	shared.faults = 0;
	EXPECT(Call_TRY(attempt, 1, 2, 3, &value), expected);
	EXPECT(shared.faults, 1);
	EXPECT(shared.fault, expected);
	EXPECT(shared.application, BROKEN);
	EXPECT(value, 5);
	EXPECT(local, 0x10ca1);
	succeeds();
}

static void returns_by_force(void)
{
	shared.of_caller = (uintptr_t)&secret;
	shared.of_task = (uintptr_t)&own;
	for (enum attempt attempt = 0; attempt < ATTEMPTS; attempt++)
		try(attempt);
	EXPECT(secret, 42);
	test.marks = 0;
}

/* The caller is itself a callee. */
static void returns_to_the_last_caller(void)
{
	uint64_t value = 0;

	ALLOWED(Call_PASS(STORES_TO_CALLER, 0, 0, 0, &value));
	EXPECT(value, 100 + E_OS_PROTECTION_MEMORY);
	ALLOWED(Call_PASS(SUCCEEDS, 0, 0, 0, &value));
	EXPECT(value, ANSWER);
}

TASK(SECTION)
{
	worked++;
	EXPECT(GetResource(R), E_OK);
	EXPECT(ReleaseResource(R), E_OK);
	TerminateTask();
}

/* The caller is still in its section. */
static void keeps_the_section(void)
{
	EXPECT(GetResource(R), E_OK);
	try(STORES_TO_WORDS);
	try(LOCKS_LAZILY);
	EXPECT(ActivateTask(SECTION), E_OK);
	EXPECT(worked, 0);
	succeeds();
	EXPECT(worked, 0);
	EXPECT(ReleaseResource(R), E_OK);
	EXPECT(worked, 1);
	test.marks = 0;
}

TASK(DIES)
{
	uint64_t value;

	(void)Call_TRY(STORES_TO_CALLER, 0, 0, 0, &value);
	CHECK(false);
}

/* The next activation of the task begins in its own application. */
static void ends_the_task(void)
{
	shared.answer = PRO_TERMINATETASKISR;
	for (unsigned i = 0; i < 2; i++) {
		shared.faults = 0;
		EXPECT(ActivateTask(DIES), E_OK);
		EXPECT(shared.faults, 1);
		EXPECT(shared.application, BROKEN);
		EXPECT(GetCurrentApplicationID(), CONTROL);
	}
	shared.answer = PRO_RETURN;
	succeeds();
}

/* ---- Registers -------------------------------------------------------------- */

void call_patterned(uint64_t number, uint64_t *seen);

__asm__("	.text\n" KEEP_ALL "call_patterned:\n"
	"	sub	sp, sp, #112\n"
	"	stp	x19, x20, [sp]\n	stp	x21, x22, [sp, #16]\n"
	"	stp	x23, x24, [sp, #32]\n	stp	x25, x26, [sp, #48]\n"
	"	stp	x27, x28, [sp, #64]\n	stp	x29, x30, [sp, #80]\n"
	"	str	x1, [sp, #96]\n"
	"	mov	x4, x0\n"
	"	mov	x0, #0x50000000\n"
	"	msr	nzcv, x0\n"
	"	pattern	0x1000, 0, 3\n"
	"	pattern	0x1000, 5, 30\n"
	"	svc	#0\n"
	"	keep_all \"ldr x0, [sp, #112]\", \"nop\", \"nop\"\n"
	"	ldp	x19, x20, [sp]\n	ldp	x21, x22, [sp, #16]\n"
	"	ldp	x23, x24, [sp, #32]\n	ldp	x25, x26, [sp, #48]\n"
	"	ldp	x27, x28, [sp, #64]\n	ldp	x29, x30, [sp, #80]\n"
	"	add	sp, sp, #112\n"
	"	ret\n");

/* After a call only the answer is in the registers, and no register of the callee. */
static void expect_answer(uint64_t status, uint64_t value)
{
	EXPECT(seen[0], status);
	EXPECT(seen[1], value);
	for (unsigned n = 2; n <= 30; n++)
		EXPECT(seen[n], 0);
	CHECK(seen[SP] > (uintptr_t)plf_stack_high_MAIN - 4096);
	CHECK(seen[SP] < (uintptr_t)plf_stack_high_MAIN);
	EXPECT(seen[FLAGS], 0);
	EXPECT(seen[THREAD], OF_MAIN);
}

static void call(FunctionIndexType function)
{
	call_patterned(PLF_CALLS + 1U + function, seen);
}

static void passes_four_registers(void)
{
	__asm__ volatile("msr tpidr_el0, %0" ::"r"((uint64_t)OF_MAIN));
	call(SEE);
	expect_answer(E_OK, 0x5ee);
	for (unsigned n = 0; n <= 3; n++)
		EXPECT(shared.seen[n], PATTERN + n);
	for (unsigned n = 4; n <= 29; n++)
		EXPECT(shared.seen[n], 0);
	EXPECT(shared.seen[SP], (uintptr_t)plf_callee_high_10);
	EXPECT(shared.seen[FLAGS], 0);
	EXPECT(shared.seen[THREAD], 0);
}

static void returns_two_registers(void)
{
	uintptr_t stack;

	call(SPOIL);
	expect_answer(E_OK, 0x3000);
	stack = seen[SP];
	call(SEE);
	EXPECT(seen[SP], stack);
	succeeds();
}

/* The same for a forced return, except for the caller's pc and sp, as after a switch of tasks. */
static void returns_two_by_force(void)
{
	call(CRASH);
	EXPECT(seen[3], seen[SP]);
	seen[2] = seen[3] = 0;
	expect_answer(E_OS_PROTECTION_MEMORY, 0);
	succeeds();
}

/* A return without a call, and numbers of no function: refused as services are. */
static void refuses_numbers(void)
{
	static const uint64_t numbers[] = { 0, 1 + PLF_PROTECTED_FUNCTIONS, 1 + 255, UINT32_MAX,
					    UINT64_MAX - PLF_CALLS };

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		call_patterned(PLF_CALLS + numbers[i], seen);
		EXPECT(seen[0], E_OS_SERVICEID);
		EXPECT(seen[1], 0);
		EXPECT(test.errors, 1);
		test.errors = 0;
		for (unsigned n = 2; n <= 18; n++)
			EXPECT(seen[n], 0);
		for (unsigned n = 19; n <= 30; n++)
			EXPECT(seen[n], PATTERN + n);
		EXPECT(GetCurrentApplicationID(), CONTROL);
	}
}

/* ---- Interrupts -------------------------------------------------------------- */

TASK(HIGH)
{
	uint64_t value = 0;

	EXPECT(Call_SUM(50, 60, 70, 80, &value), E_OK);
	EXPECT(value, 50 + 120 + 210 + 320);
	EXPECT(Call_TRY(STORES_TO_CALLER, 0, 0, 0, &value), E_OS_PROTECTION_MEMORY);
	summed++;
	TerminateTask();
}

/* The alarm comes before each instruction of some calls, in whatever order. */
static void interrupted_after(TickType delay)
{
	uint32_t before = summed;
	uint64_t value = 0, more = 0;

	EXPECT(SetRelAlarm(ALARM, delay, 0), E_OK);
	do {
		value = 0;
		EXPECT(Call_SUM(1, 2, 3, 4, &value), E_OK);
		EXPECT(value, 1 + 4 + 9 + 16);
		EXPECT(Call_PASS(SUCCEEDS, 0, 0, 0, &more), E_OK);
		EXPECT(more, ANSWER);
		EXPECT(Call_TRY(STORES_TO_CALLER, 0, 0, 0, &more), E_OS_PROTECTION_MEMORY);
	} while (summed == before);
	EXPECT(summed, before + 1);
}

TASK(MAIN)
{
	shared.answer = PRO_RETURN;
	if (TEST_CASE == IS_NOT_INSIDE)
		*wild(NULL) = 0;
	if (TEST_CASE == IS_NOT_IGNORED) {
		shared.answer = PRO_IGNORE;
		try(STORES_TO_CALLER);
	}
	succeeds();
	returns_by_force();
	returns_to_the_last_caller();
	keeps_the_section();
	ends_the_task();
	passes_four_registers();
	returns_two_registers();
	returns_two_by_force();
	refuses_numbers();
	for (TickType delay = 1; delay < 1500; delay++)
		interrupted_after(delay);
	ShutdownOS(E_OK);
}
