/* SPDX-License-Identifier: MIT */
/*
 * A task asks the kernel to write memory that the task may not read. All calls are refused, and no
 * byte comes out. misuse_memory.out has all that the image writes.
 */
#include "foul.h"
#include "os_console.h"

volatile uint32_t faults;
volatile StatusType fault;

static char secret[8] TASK_DATA(VICTIM);
static char own[] TASK_DATA(FOUL) = "of the task\n";
static char shared[] = "of all tasks\n";

TASK(VICTIM)
{
	for (unsigned i = 0; i < sizeof(secret); i++)
		secret[i] = 'S';
	TerminateTask();
}

static void refused_of(const char *text, size_t size)
{
	mark('x'); /* for the report: the number of marks is the number of refusals */
	REFUSED(WriteConsole(text, size), E_OS_ILLEGAL_ADDRESS, PLF_CALL_WRITE_CONSOLE);
}

static void refused(const volatile void *memory)
{
	refused_of(wild(memory), 1);
	refused_of(wild(memory), 8);
	refused_of(wild(memory), PLF_CONSOLE_MOST);
}

static void refused_at(uintptr_t address)
{
	refused((const void *)address);
}

/* Memory of which only a part may be read: none of it is written. */
static void refused_at_ends(char *low, char *high)
{
	refused_of(low - 1, 2);
	refused_of(low - 7, 8);
	refused_of(low - PLF_CONSOLE_MOST + 1, PLF_CONSOLE_MOST);
	refused_of(high - 1, 2);
	refused_of(high - 7, 8);
	refused_of(high - PLF_CONSOLE_MOST + 1, PLF_CONSOLE_MOST);
}

static void allowed(const char *text, size_t size)
{
	ALLOWED(WriteConsole(text, size));
}

/* The first and the last bytes of the stack. */
static void allowed_at_ends(char *low, char *high)
{
	static const char first[] = "the first bytes\n", last[] = "the last bytes\n";
	size_t size = sizeof(last) - 1;

	for (size_t i = 0; i < sizeof(first) - 1; i++)
		low[i] = first[i];
	allowed(low, sizeof(first) - 1);
	for (size_t i = 0; i < size; i++) {
		char kept = high[(ptrdiff_t)(i - size)];

		high[(ptrdiff_t)(i - size)] = last[i];
		allowed(&high[(ptrdiff_t)(i - size)], 1);
		high[(ptrdiff_t)(i - size)] = kept;
	}
}

TASK(FOUL)
{
	enum { GIC = 0x08000000, SERIAL = 0x09000000 };
	char text[] = "of the stack\n";

	allowed(text, sizeof(text) - 1);
	allowed(own, sizeof(own) - 1);
	allowed(shared, sizeof(shared) - 1);
	allowed("constant\n", 9);

	refused(secret);
	refused(plf_stack_low_VICTIM);
	refused(wild(plf_stack_high_VICTIM) - PLF_CONSOLE_MOST);
	refused(plf_tasks);
	refused(plf_cores);
	refused(plf_isr_config);
	refused((const void *)(uintptr_t)plf_system_call);
	refused(plf_tables);
	refused(wild(plf_stack_low_FOUL) - PLF_CONSOLE_MOST);
	refused_at(GIC);
	refused_at(SERIAL);
	refused_at(1);
	refused_at(UINTPTR_MAX);
	refused_at(UINT64_C(1) << 31);			 /* beyond the tables */
	refused_at(UINT64_C(0xffff) << 48);		 /* the upper half */
	refused_at((uintptr_t)text | UINT64_C(1) << 56); /* a tag */
	refused_at((uintptr_t)text | UINT64_C(1) << 40);
	refused_of(wild((const void *)(UINTPTR_MAX - 6)), 8); /* around the end of addresses */
	refused_of(wild((const void *)UINTPTR_MAX), 2);
	refused_at_ends(wild(plf_stack_low_FOUL), wild(plf_stack_high_FOUL));
	allowed_at_ends(wild(plf_stack_low_FOUL), wild(plf_stack_high_FOUL));
	EXPECT(faults, 0);
	ShutdownOS(E_OK);
}
