/* SPDX-License-Identifier: MIT */
/*
 * The translation tables of the board a53 are read back, and compared with link.ld: the rights to
 * read, write and execute each page, and whether its translation belongs to a single task (Arm ARM,
 * D8.3). QEMU cannot show the latter, because it forgets translations at each switch.
 */
#include "tables.h"

#include "check.h"
#include "config.h"
#include "cores.h"
#include "ioc_share.h"
#include "memory.h"
#include "plf_words.h"
#include "port_core.h"
#include "registers.h"

enum { PAGE = 4096, WINDOW = 1 << 21, ENTRIES = 512, RAM = 1 << 30, NO_TASK = PLF_TASKS };

/* The rights to a page; 0: no table maps it. */
enum {
	USER_READS = 1 << 0,
	USER_WRITES = 1 << 1,
	USER_EXECUTES = 1 << 2,
	KERNEL_READS = 1 << 3,
	KERNEL_WRITES = 1 << 4,
	KERNEL_EXECUTES = 1 << 5,
	OWN = 1 << 6,	    /* only for its ASID */
	DEVICE = 1 << 7,    /* no cache, no speculation */
	SOMEWHERE = 1 << 8, /* not an identity map */

	KERNEL_DATA = KERNEL_READS | KERNEL_WRITES,
	USER_DATA = KERNEL_DATA | USER_READS | USER_WRITES,
};

#define RANGE(name) extern char plf_##name[], plf_##name##_end[]
RANGE(kernel_text);
RANGE(shared_text);
RANGE(user_text);
RANGE(user_const);
RANGE(kernel_const);
RANGE(user_data);
RANGE(kernel_data);
RANGE(tables);
extern const struct {
	uintptr_t data, data_end;
} plf_task_memory[PLF_TASKS], plf_application_memory[PLF_APPLICATIONS];

static bool is_in(uintptr_t page, uintptr_t start, uintptr_t end)
{
	return page >= start && page < end;
}

static bool is_private_of(uintptr_t page, unsigned task)
{
	return is_in(page, plf_task_memory[task].data, plf_task_memory[task].data_end) ||
	       is_in(page, plf_task_config[task].stack_low, plf_task_config[task].stack_high);
}

/* Below each stack, also of the kernel, is an unmapped page. */
static bool is_guard(uintptr_t page)
{
	for (unsigned task = 0; task < PLF_TASKS; task++)
		if (page == plf_task_config[task].stack_low - PAGE)
			return true;
	for (unsigned core = 0; core < PLF_CPUS; core++)
		if (page == (uintptr_t)plf_port_cores[core].stack - PAGE)
			return true;
	return false;
}

/* The words of the running task, which have the same address on all cores. */
static bool is_words_of_core(uintptr_t page)
{
	return page == (uintptr_t)&plf_page;
}

/* Memory of IOC that the task uses; NO_TASK: that any task uses. */
static bool is_shared_with(uintptr_t page, unsigned task)
{
	for (unsigned i = 0; i < PLF_IOC_SHARES; i++)
		if ((task == NO_TASK || plf_ioc_shares[i].task == task) &&
		    is_in(page, (uintptr_t)plf_ioc_shares[i].start,
			  (uintptr_t)plf_ioc_shares[i].end))
			return true;
	return false;
}

/* Data of the task's application; NO_TASK: of any application. */
static bool is_of_application_of(uintptr_t page, unsigned task)
{
	for (unsigned i = 0; i < PLF_APPLICATIONS; i++)
		if ((task == NO_TASK ||
		     plf_object_kinds[OBJECT_TASK].objects[task].application == i) &&
		    is_in(page, plf_application_memory[i].data, plf_application_memory[i].data_end))
			return true;
	return false;
}

static unsigned core_of(unsigned task)
{
	return task == NO_TASK ? plf_index_of(plf_this_core()) : plf_task_config[task].core;
}

/* The words of resources, which are private to each user. */
static bool is_words(uintptr_t page)
{
	uintptr_t start = (uintptr_t)&plf_page;

	return is_in(page, start + PAGE, start + sizeof(plf_page));
}

/* The expected rights to a page of RAM, in the table of `task`. */
static unsigned expected(uintptr_t page, unsigned task)
{
	const struct {
		const char *start, *end;
		unsigned rights;
	} parts[] = {
		{ plf_kernel_text, plf_kernel_text_end, KERNEL_READS | KERNEL_EXECUTES },
		{ plf_shared_text, plf_shared_text_end,
		  KERNEL_READS | KERNEL_EXECUTES | USER_READS | USER_EXECUTES },
		{ plf_user_text, plf_user_text_end, KERNEL_READS | USER_READS | USER_EXECUTES },
		{ plf_user_const, plf_user_const_end, KERNEL_READS | USER_READS },
		{ plf_kernel_const, plf_kernel_const_end, KERNEL_READS },
		{ plf_user_data, plf_user_data_end, USER_DATA },
		{ plf_kernel_data, plf_kernel_data_end, KERNEL_DATA },
	};

	if (is_guard(page))
		return 0;
	if (is_words_of_core(page))
		return USER_DATA | (core_of(task) > 0 ? SOMEWHERE : 0);
	if (is_words(page) && task != NO_TASK && plf_task_config[task].resources)
		return USER_DATA | OWN | SOMEWHERE;
	if (is_words(page))
		return KERNEL_DATA | OWN;
	if (is_shared_with(page, NO_TASK))
		return OWN |
		       (task != NO_TASK && is_shared_with(page, task) ? USER_DATA : KERNEL_DATA);
	if (is_of_application_of(page, NO_TASK))
		return OWN | (task != NO_TASK && is_of_application_of(page, task) ? USER_DATA
										  : KERNEL_DATA);
	for (unsigned other = 0; other < PLF_TASKS; other++)
		if (is_private_of(page, other))
			return OWN | (other == task ? USER_DATA : KERNEL_DATA);
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (is_in(page, (uintptr_t)parts[i].start, (uintptr_t)parts[i].end))
			return parts[i].rights;
	return 0;
}

/* ---- The tables, which no table maps ------------------------------------- */

/*
 * Translation is off, so addresses are physical. QEMU has no caches, and the kernel's addresses are
 * the same.
 */
static __attribute__((noinline)) void copy_table(uint64_t *to, uintptr_t from, unsigned entries)
{
	uint64_t sctlr = PLF_READ("sctlr_el1");

	PLF_WRITE("sctlr_el1", sctlr & ~UINT64_C(1));
	plf_isb();
	for (unsigned i = 0; i < entries; i++)
		to[i] = ((const volatile uint64_t *)from)[i];
	PLF_WRITE("sctlr_el1", sctlr);
	plf_isb();
}

static uintptr_t address_in(uint64_t entry)
{
	return entry & UINT64_C(0x0000fffffffff000);
}

/*
 * The rights of a valid page or block. All bits with a meaning are checked, or are in the answer.
 */
static unsigned rights_of(uint64_t entry, uintptr_t page)
{
	enum { ATTRIBUTE = 7 << 2, USER = 1 << 6, READ_ONLY = 1 << 7, SHARED = 3 << 8 };
	enum { ACCESSED = 1 << 10, NOT_GLOBAL = 1 << 11 };
	const uint64_t not_by_kernel = UINT64_C(1) << 53, not_by_user = UINT64_C(1) << 54;
	bool user = entry & USER, writable = !(entry & READ_ONLY);
	unsigned rights = KERNEL_READS;

	EXPECT(entry & (SHARED | ACCESSED), SHARED | ACCESSED);
	EXPECT(entry & (ATTRIBUTE & ~(1 << 2)), 0);
	EXPECT(entry & UINT64_C(0xff9f000000000020), 0);
	rights |= writable ? KERNEL_WRITES : 0;
	rights |= user ? USER_READS : 0;
	rights |= user && writable ? USER_WRITES : 0;
	rights |= entry & not_by_kernel ? 0 : KERNEL_EXECUTES;
	rights |= entry & not_by_user ? 0 : USER_EXECUTES;
	rights |= entry & NOT_GLOBAL ? OWN : 0;
	rights |= entry & ATTRIBUTE ? DEVICE : 0;
	rights |= address_in(entry) == page ? 0 : SOMEWHERE;
	return rights;
}

static uintptr_t words_of[PLF_TASKS];

/* The task's words are a page that no other task has, and that has no other use. */
static void check_words(uintptr_t memory, unsigned task)
{
	CHECK(is_in(memory, (uintptr_t)plf_tables, (uintptr_t)plf_tables_end));
	for (unsigned other = 0; other < task; other++)
		CHECK(words_of[other] != memory);
	words_of[task] = memory;
}

static void check_pages(uint64_t window, uintptr_t start, unsigned task)
{
	static uint64_t entries[ENTRIES];

	EXPECT(window & 3, 3);
	EXPECT(window & ~UINT64_C(0x0000fffffffff003), 0);
	copy_table(entries, address_in(window), ENTRIES);
	for (unsigned i = 0; i < ENTRIES; i++) {
		uintptr_t page = start + i * (uintptr_t)PAGE;
		bool is_valid = entries[i] & 1;

		EXPECT(is_valid ? entries[i] & 3 : 3, 3);
		EXPECT(is_valid ? rights_of(entries[i], page) : 0, expected(page, task));
		if (is_words_of_core(page) && core_of(task) > 0)
			EXPECT(address_in(entries[i]), &plf_other_pages[core_of(task)]);
		else if (is_valid && expected(page, task) & SOMEWHERE)
			check_words(address_in(entries[i]), task);
	}
}

static void check_ram(uint64_t table, unsigned task)
{
	static uint64_t windows[ENTRIES];

	EXPECT(table & ~UINT64_C(0x0000fffffffff000), 3);
	copy_table(windows, address_in(table), ENTRIES);
	for (unsigned i = 0; i < ENTRIES; i++) {
		uintptr_t start = RAM + i * (uintptr_t)WINDOW;

		if (windows[i])
			check_pages(windows[i], start, task);
		else
			for (uintptr_t page = start; page < start + WINDOW; page += PAGE)
				EXPECT(expected(page, task), 0);
	}
}

/* Below RAM only the interrupt controller is mapped, and with a console the serial device. */
static bool is_device(uintptr_t window)
{
	enum { GIC = 0x08000000, SERIAL = 0x09000000 };

	return window == GIC || (PLF_CONSOLE && window == SERIAL);
}

static void check_devices(uint64_t table)
{
	static uint64_t windows[ENTRIES];

	EXPECT(table & ~UINT64_C(0x0000fffffffff000), 3);
	copy_table(windows, address_in(table), ENTRIES);
	for (unsigned i = 0; i < ENTRIES; i++)
		if (is_device(i * (uintptr_t)WINDOW)) {
			EXPECT(windows[i] & 3, 1);
			EXPECT(rights_of(windows[i], i * (uintptr_t)WINDOW), KERNEL_DATA | DEVICE);
		} else {
			EXPECT(windows[i], 0);
		}
}

static void check_table(uint64_t ttbr0, unsigned task)
{
	uint64_t entries[2];

	mark('x'); /* for the report of a failure */
	EXPECT(ttbr0 >> 48, task == NO_TASK ? 0 : task + 1U);
	copy_table(entries, ttbr0 & UINT64_C(0x0000ffffffffffc0), 2);
	check_devices(entries[0]);
	check_ram(entries[1], task);
}

void check_tables(void)
{
	check_table(PLF_READ("ttbr0_el1"), NO_TASK);
	for (unsigned task = 0; task < PLF_TASKS; task++)
		check_table(plf_memory_of_task(task), task);
}

void check_table_of(unsigned task)
{
	EXPECT(PLF_READ("ttbr0_el1"), plf_memory_of_task(task));
}
