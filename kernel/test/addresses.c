/* SPDX-License-Identifier: MIT */
/*
 * Extended status: a service refuses a pointer to memory that the caller may not write, or may
 * write only in part. The pointer of each service is its third argument.
 */
#include "foul.h"
#include "plf_find.h"

static const uint64_t constant = 1;
static volatile uint64_t variable;
static volatile uint64_t mine TASK_DATA(FOUL);
static volatile uint64_t others TASK_DATA(VICTIM);

static const struct {
	unsigned number;
	uintptr_t argument, size;
} services[] = {
	{ PLF_CALL_GET_TASK_ID, 0, sizeof(TaskType) },
	{ PLF_CALL_GET_TASK_STATE, FOUL, sizeof(TaskStateType) },
	{ PLF_CALL_GET_EVENT, FOUL, sizeof(EventMaskType) },
	{ PLF_CALL_GET_ALARM_BASE, ALARM, sizeof(AlarmBaseType) },
	{ PLF_CALL_GET_ALARM, ALARM, sizeof(TickType) },
};

#define ADDRESS(object) ((uintptr_t)wild((const volatile void *)(object)))

static void expect(uintptr_t address, StatusType status)
{
	mark('x'); /* for the report: the number of marks is the number of calls that passed */
	for (unsigned i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
		struct plf_result result =
			plf_call3(services[i].number, services[i].argument, 0, address);

		EXPECT(result.status, status);
		EXPECT(test.errors, status != E_OK);
		test.errors = 0;
	}
}

/*
 * `end` is the first address that is not writable. Only an object that fits before it is accepted.
 */
static void expect_end(uintptr_t end)
{
	for (unsigned i = 0; i < sizeof(services) / sizeof(services[0]); i++)
		for (uintptr_t room = 1; room <= 16; room++) {
			struct plf_result result =
				plf_call3(services[i].number, services[i].argument, 0, end - room);

			EXPECT(result.status,
			       room < services[i].size ? E_OS_ILLEGAL_ADDRESS : E_OK);
			test.errors = 0;
		}
}

TASK(VICTIM)
{
	others = 0;
	TerminateTask();
}

TASK(FOUL)
{
	uint64_t own[4];

	expect(0, E_OS_PARAM_POINTER);
	expect(ADDRESS(own), E_OK);
	expect(ADDRESS(&variable) & ~UINT64_C(15), E_OK);
	expect(ADDRESS(&mine), E_OK);
	expect(ADDRESS(plf_find_page()), E_OK);
	expect(ADDRESS(plf_stack_low_FOUL), E_OK);
	expect_end(ADDRESS(plf_stack_high_FOUL));
	expect(ADDRESS(plf_stack_low_FOUL) - 1, E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS(plf_stack_high_FOUL), E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS(plf_stack_high_VICTIM) - 32, E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS(&others), E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS(&constant), E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS(plf_tasks), E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS(plf_tables), E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS(plf_isr_config), E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS((uintptr_t)plf_system_call), E_OS_ILLEGAL_ADDRESS);
	expect(ADDRESS((uintptr_t)expect), E_OS_ILLEGAL_ADDRESS);
	expect(1, E_OS_ILLEGAL_ADDRESS);
	expect(0x08000000, E_OS_ILLEGAL_ADDRESS);
	expect(0x09000000, E_OS_ILLEGAL_ADDRESS);
	expect(0x3fffffff, E_OS_ILLEGAL_ADDRESS);
	expect(0x47ffffff, E_OS_ILLEGAL_ADDRESS);
	expect(UINT64_C(0x100000000) + ADDRESS(own), E_OS_ILLEGAL_ADDRESS);
	expect(UINT64_C(0xff00000000000000) + ADDRESS(own), E_OS_ILLEGAL_ADDRESS);
	expect(UINT64_C(0xffff000000000000), E_OS_ILLEGAL_ADDRESS);
	expect(UINTPTR_MAX, E_OS_ILLEGAL_ADDRESS);
	expect(UINTPTR_MAX - 2, E_OS_ILLEGAL_ADDRESS);
	ShutdownOS(E_OK);
}
