/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a trusted function that the task may not use. CheckTaskMemoryAccess reports the
 * access, for any address and size, also for tasks that do not run. A function that does not check
 * ends the system.
 */
#include "foul_functions.h"

#include "case.h"
#include "foul.h"

enum { ASKS, TRUSTS };
enum { READ = PLF_IS_READABLE, WRITE = READ | PLF_IS_WRITEABLE, RUN = READ | PLF_IS_EXECUTABLE };
enum { STACK = WRITE | PLF_IS_STACKSPACE, SIZE = 64, PAGE = 4096 };

DeclareTask(FOUL);
volatile uint32_t faults;
volatile StatusType fault;
enum answer answered;
static volatile bool keeps;

static volatile char victims[SIZE] TASK_DATA(VICTIM) = "victim";
static volatile char safe[SIZE] APPLICATION_DATA(SAFE) = "safe";
static volatile char work[PAGE + SIZE] APPLICATION_DATA(WORK) = "work";
static volatile char own[SIZE] TASK_DATA(FOUL) = "own";
static volatile char shared[SIZE] = "shared";
static const char constant[SIZE] = "constant";

TASK(VICTIM)
{
	TerminateTask();
}

static AccessType access_of(TaskType task, const volatile void *address, size_t size)
{
	return CheckTaskMemoryAccess(task, wild(address), size);
}

static void expect_access(const volatile void *address, size_t size, AccessType of_foul,
			  AccessType of_victim)
{
	mark('e');
	EXPECT(access_of(FOUL, address, size), of_foul);
	EXPECT(access_of(VICTIM, address, size), of_victim);
}

static void says_whose_it_is(void)
{
	volatile char local[SIZE];

	expect_access(victims, SIZE, 0, WRITE);
	expect_access(safe, SIZE, 0, WRITE);
	expect_access(work, sizeof(work), WRITE, 0);
	expect_access(own, SIZE, WRITE, 0);
	expect_access(shared, SIZE, WRITE, WRITE);
	expect_access(constant, SIZE, READ, READ);
	expect_access(local, SIZE, STACK, 0);
	expect_access(plf_stack_low_VICTIM, PAGE, 0, STACK);
	expect_access(wild(plf_stack_high_VICTIM) - 1, 1, 0, STACK);
	expect_access((const void *)(uintptr_t)plf_task_FOUL, SIZE, RUN, RUN);
}

/* The bounds of memory that a task may use, and sizes that would wrap around. */
static void says_so_of_all_bytes(void)
{
	char *low = wild(plf_stack_low_FOUL), *high = wild(plf_stack_high_FOUL);

	expect_access(low, (size_t)(high - low), STACK, 0);
	expect_access(low - 1, 2, 0, 0);
	expect_access(high - 1, 2, 0, 0);
	expect_access(low, (size_t)(high - low) + 1, 0, 0);
	expect_access(shared, 0, 0, 0);
	expect_access(shared, SIZE_MAX, 0, 0);
	expect_access(shared, SIZE_MAX - (uintptr_t)shared + 1, 0, 0);
	expect_access(shared, SIZE_MAX - (uintptr_t)shared + 2, 0, 0);
	expect_access(shared, SIZE_MAX / 2, 0, 0);
	expect_access((const void *)UINTPTR_MAX, 1, 0, 0);
	expect_access((const void *)(UINTPTR_MAX - PAGE + 1), PAGE, 0, 0);
	expect_access(NULL, 1, 0, 0);
	expect_access(NULL, SIZE_MAX, 0, 0);
	expect_access((const void *)((uintptr_t)shared | UINT64_C(1) << 56), 1, 0, 0);
	expect_access((const void *)(uintptr_t)0x09000000, 4, 0, 0);
	expect_access(plf_tasks, 1, 0, 0);
	expect_access(plf_tables, 8, 0, 0);
	expect_access(plf_isr_config, 1, 0, 0);
	expect_access((const void *)(uintptr_t)plf_system_call, 4, 0, 0);
}

static void any_task(uintptr_t number)
{
	struct plf_result result =
		plf_call3(PLF_CALL_CHECK_TASK_MEMORY_ACCESS, number, (uintptr_t)shared, 1);

	EXPECT(result.status, E_OK);
	EXPECT(result.value, 0);
}

static void asked(const volatile void *from, volatile void *to, size_t size, enum answer expected)
{
	struct copy copy = { from, to, size };

	mark('a');
	EXPECT(CallTrustedFunction(COPY, &copy), E_OK);
	EXPECT(answered, expected);
}

static void asked_at(const volatile void *parameters)
{
	mark('p');
	EXPECT(CallTrustedFunction(COPY, wild(parameters)), E_OK);
	EXPECT(answered, NO_REQUEST);
}

/* A function that checks does for a task only what that task may do. */
static void is_refused(void)
{
	asked(shared, own, SIZE, COPIED);
	EXPECT(own[0], 's');
	asked(constant, &work[PAGE - 1], SIZE, COPIED);
	EXPECT(work[PAGE], 'o');
	asked(victims, own, SIZE, NO_SOURCE);
	asked(safe, own, 1, NO_SOURCE);
	asked(plf_tasks, own, 8, NO_SOURCE);
	asked(shared, wild(constant), 1, NO_TARGET);
	asked(shared, safe, 1, NO_TARGET);
	asked(shared, wild(plf_cores), 1, NO_TARGET);
	asked(shared, wild(plf_stack_high_FOUL) - 1, 2, NO_TARGET);
	asked(shared, own, SIZE_MAX, NO_SOURCE);
	asked_at(NULL);
	asked_at(plf_tasks);
	asked_at(victims);
	asked_at(wild(plf_stack_high_FOUL) - sizeof(struct copy) + 1);
	asked_at((const void *)UINTPTR_MAX);
	EXPECT(own[0], 's');
}

/* After a check for another task, the tables of the caller are in force. */
static void keeps_its_memory(void)
{
	CHECK(OSMEMORY_IS_WRITEABLE(access_of(VICTIM, victims, SIZE)));
	own[1] = 'w';
	EXPECT(own[1], 'w');
	keeps = true;
	(void)victims[0]; /* this access ends the task */
	keeps = false;
}

TASK(FOUL)
{
	if (TEST_CASE == TRUSTS)
		(void)CallTrustedFunction(TRUST, NULL);
	says_whose_it_is();
	says_so_of_all_bytes();
	any_task(PLF_TASKS);
	any_task(256 + FOUL);
	any_task(UINTPTR_MAX);
	is_refused();
	EXPECT(test.errors, 0);
	keeps_its_memory();
}

TASK(WITNESS)
{
	EXPECT(ActivateTask(FOUL), E_OK);
	EXPECT(faults, 1);
	EXPECT(fault, E_OS_PROTECTION_MEMORY);
	CHECK(keeps);
	ShutdownOS(E_OK);
}
