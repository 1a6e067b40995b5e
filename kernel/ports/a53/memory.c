/* SPDX-License-Identifier: MIT */
/*
 * Memory protection: an identity map of 4 KiB pages. Each task has a table and an ASID, and so has
 * each pair of a task and another application whose protected functions the task can reach.
 *
 *   level 1   two entries of 1 GiB: devices, and the image
 *   level 2   entries of 2 MiB, "windows": a table for each task
 *   level 3   entries of 4 KiB: the tasks of a core share the table of a window. A task has a copy
 *             if the window has memory of that task or of its application
 *
 * All pages except private pages are global, so a switch to another task changes TTBR0_EL1 and
 * leaves the TLB alone. In the tables of other tasks, a task's private pages belong to the kernel.
 * No page is both writable and executable, which SCTLR_EL1.WXN ensures, too.
 *
 * The kernel cannot execute a page that user mode can reach. The exceptions are the few functions
 * of shared.S, which are part of the kernel, and the code of mixed files. These are mapped
 * read-only. The tables are in no table.
 */
#include "memory.h"
#include "config.h"
#include "console.h"
#include "ioc_share.h"
#include "plf_globals.h"
#include "plf_words.h"
#include "port_core.h"
#include "registers.h"
#include "serial.h"

#define BIT(n) (UINT64_C(1) << (n))

enum {
	PAGE_SHIFT = 12,
	PAGE = 1 << PAGE_SHIFT,
	WINDOW_SHIFT = 21,
	ENTRIES = PAGE / 8,
	RAM_SHIFT = 30, /* RAM is the second GiB */
};

/* Descriptors: Arm ARM, D8.3. */
#define TABLE		     UINT64_C(3)
#define BLOCK		     UINT64_C(1)
#define LEAF		     (BIT(10) | UINT64_C(3) << 8) /* accessed, inner shareable */
#define MAPPED		     (LEAF | UINT64_C(3))
#define DEVICE		     (LEAF | BLOCK | UINT64_C(1) << 2 | NEVER_EXECUTE) /* second attribute */
#define USER		     BIT(6)
#define READ_ONLY	     BIT(7)
#define OF_ONE_ASID	     BIT(11)
#define NO_EXECUTE_BY_KERNEL BIT(53)
#define NO_EXECUTE_BY_USER   BIT(54)
#define NEVER_EXECUTE	     (NO_EXECUTE_BY_KERNEL | NO_EXECUTE_BY_USER)
#define ADDRESS_OF(entry)    ((entry)&UINT64_C(0x0000fffffffff000))

#define KERNEL_TEXT  (MAPPED | READ_ONLY | NO_EXECUTE_BY_USER)
#define KERNEL_CONST (MAPPED | READ_ONLY | NEVER_EXECUTE)
#define KERNEL_DATA  (MAPPED | NEVER_EXECUTE)
#define SHARED_TEXT  (MAPPED | READ_ONLY | USER)
#define USER_TEXT    (MAPPED | READ_ONLY | USER | NO_EXECUTE_BY_KERNEL)
#define USER_CONST   (MAPPED | READ_ONLY | USER | NEVER_EXECUTE)
#define USER_DATA    (MAPPED | USER | NEVER_EXECUTE)
#define OWN_DATA     (USER_DATA | OF_ONE_ASID)
#define OTHERS_DATA  (KERNEL_DATA | OF_ONE_ASID)

/* From link.ld: pairs of page-aligned bounds, also for each task and each application. */
extern char plf_kernel_text[], plf_kernel_text_end[];
extern char plf_kernel_const[], plf_kernel_const_end[];
extern char plf_kernel_data[], plf_kernel_data_end[];
extern char plf_shared_text[], plf_shared_text_end[];
extern char plf_user_text[], plf_user_text_end[];
extern char plf_user_const[], plf_user_const_end[];
extern char plf_user_data[], plf_user_data_end[];
extern char plf_tables[], plf_tables_end[];
extern const struct {
	uintptr_t data, data_end; /* TASK_DATA() */
} plf_task_memory[PLF_TASKS];
extern const struct {
	uintptr_t data, data_end; /* the application's files, and APPLICATION_DATA() */
} plf_application_memory[PLF_APPLICATIONS];

/* A table of level 1: two entries, with the least alignment that the architecture allows. */
struct level1 {
	uint64_t entry[2];
} __attribute__((aligned(64)));

static struct level1 start_tables[PLF_CPUS];
static struct level1 task_tables[PLF_TASKS];
static struct level1 callee_tables[PLF_DOMAINS - PLF_TASKS + 1]; /* of domains that are no homes */
static char *next_table = plf_tables;

/*
 * A table of zeros, as in the image: it maps nothing. link.ld counts the tables that can be needed.
 */
static uint64_t *new_table(void)
{
	uint64_t *table = (uint64_t *)(void *)next_table;

	if (next_table == plf_tables_end)
		plf_console_fail("link.ld has too few translation tables");
	next_table += PAGE;
	return table;
}

static uint64_t *next_level(uint64_t entry)
{
	return (uint64_t *)(uintptr_t)ADDRESS_OF(entry);
}

static uint64_t *copy_of(const uint64_t *from)
{
	uint64_t *table = new_table();

	for (unsigned i = 0; i < ENTRIES; i++)
		table[i] = from[i];
	return table;
}

/*
 * Give the page this entry. A window that is still the same as in `shared` is copied first. NULL:
 * level2 is the shared table.
 */
static void map_page(uint64_t *level2, const uint64_t *shared, uintptr_t page, uint64_t entry)
{
	uint64_t *window = &level2[page >> WINDOW_SHIFT & (ENTRIES - 1)];

	if (!*window)
		*window = (uintptr_t)new_table() | TABLE;
	else if (shared && *window == shared[window - level2])
		*window = (uintptr_t)copy_of(next_level(*window)) | TABLE;
	next_level(*window)[page >> PAGE_SHIFT & (ENTRIES - 1)] = entry;
}

/* Give the pages from `start` to before `end` these attributes. */
static void map(uint64_t *level2, const uint64_t *shared, uintptr_t start, uintptr_t end,
		uint64_t attributes)
{
	for (uintptr_t page = start; page < end; page += PAGE)
		map_page(level2, shared, page, page | attributes);
}

static void map_private(uint64_t *level2, const uint64_t *shared, unsigned index,
			uint64_t attributes)
{
	const struct plf_task_config *task = &plf_task_config[index];

	map(level2, shared, plf_task_memory[index].data, plf_task_memory[index].data_end,
	    attributes);
	map(level2, shared, task->stack_low, task->stack_high, attributes);
}

/* Write into the task's words its bit in the queue of each global resource that it uses. */
static void fill_globals(uintptr_t page, unsigned index)
{
#if PLF_GLOBAL_IN_USER_MODE
	struct plf_global_words *own =
		(struct plf_global_words *)(page + offsetof(struct plf_page, globals) - PAGE);

	_Static_assert(sizeof(plf_page) == 2 * PAGE, "one page of words of resources");
	for (unsigned global = 0; global < PLF_GLOBALS; global++) {
		if (!plf_is_global_user(index, global))
			continue;
		own[global].bit = plf_global_mark(index, global);
		own[global].beside = plf_global_beside(index, global);
	}
#else
	(void)page, (void)index;
#endif
}

/*
 * The words of resources, after the words of the running task. They are of use only to the holder.
 * So each task with resources has private memory there, which no other task can spoil. In the
 * tables of other tasks these pages belong to the kernel.
 */
static uintptr_t own_resources(unsigned index)
{
	uintptr_t page = (uintptr_t)new_table();

	fill_globals(page, index);
	return page;
}

static void map_resources(uint64_t *level2, const uint64_t *shared, unsigned index,
			  uint64_t attributes)
{
	uintptr_t start = (uintptr_t)&plf_page + PAGE;
	uintptr_t end = (uintptr_t)&plf_page + sizeof(plf_page);

	for (uintptr_t page = start; page < end; page += PAGE)
		map_page(level2, shared, page,
			 (attributes == OWN_DATA ? own_resources(index) : page) | attributes);
}

/* Map the words of each global resource, for its users only. */
static void map_globals(uint64_t *level2, const uint64_t *shared, uint64_t globals,
			uint64_t attributes)
{
	for (unsigned global = 0; global < PLF_GLOBALS; global++)
		if (globals >> global & 1)
			map_page(level2, shared, (uintptr_t)&plf_globals[global],
				 (uintptr_t)&plf_globals[global] | attributes);
}

/* Map the memory that tasks share by IOC, for its users only. PLF_TASKS: all of it. */
static void map_iocs(uint64_t *level2, const uint64_t *shared, unsigned index, uint64_t attributes)
{
	for (unsigned i = 0; i < PLF_IOC_SHARES; i++) {
		const struct plf_ioc_share *share = &plf_ioc_shares[i];

		if (index == PLF_TASKS || share->task == index)
			map(level2, shared, (uintptr_t)share->start, (uintptr_t)share->end,
			    attributes | (PLF_IOC_READERS && share->is_read_only ? READ_ONLY : 0));
	}
}

/*
 * Map the memory that the tasks of an application share, for these tasks only. PLF_TASKS: all of
 * it.
 */
static void map_applications(uint64_t *level2, const uint64_t *shared, unsigned index,
			     uint64_t attributes)
{
	for (unsigned i = 0; i < PLF_APPLICATIONS; i++)
		if (index == PLF_TASKS ||
		    plf_object_kinds[OBJECT_TASK].objects[index].application == i)
			map(level2, shared, plf_application_memory[i].data,
			    plf_application_memory[i].data_end, attributes);
}

/*
 * With protected functions, the words of the running task are only in the tables of homes: C4 of
 * kernel/function.h. Such an image has a single core.
 */
static void map_own_words(uint64_t *level2, const uint64_t *shared, uint64_t attributes)
{
	if (PLF_PROTECTED_FUNCTIONS)
		map_page(level2, shared, (uintptr_t)&plf_page, (uintptr_t)&plf_page | attributes);
}

/*
 * User code finds the words of its core at the address of the first core's page. On another core
 * this address is mapped to the core's page. The kernel finds that page at its physical address,
 * too.
 */
static void map_words(uint64_t *level2, unsigned core)
{
	if (core > 0)
		map_page(level2, NULL, (uintptr_t)&plf_page,
			 (uintptr_t)&plf_other_pages[core] | USER_DATA);
}

static void map_shared(uint64_t *level2, unsigned core)
{
	const struct {
		const char *start, *end;
		uint64_t attributes;
	} parts[] = {
		{ plf_kernel_text, plf_kernel_text_end, KERNEL_TEXT },
		{ plf_kernel_const, plf_kernel_const_end, KERNEL_CONST },
		{ plf_kernel_data, plf_kernel_data_end, KERNEL_DATA },
		{ plf_shared_text, plf_shared_text_end, SHARED_TEXT },
		{ plf_user_text, plf_user_text_end, USER_TEXT },
		{ plf_user_const, plf_user_const_end, USER_CONST },
		{ plf_user_data, plf_user_data_end, USER_DATA },
	};

	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		map(level2, NULL, (uintptr_t)parts[i].start, (uintptr_t)parts[i].end,
		    parts[i].attributes);
	for (unsigned index = 0; index < PLF_TASKS; index++)
		map_private(level2, NULL, index, OTHERS_DATA);
	map_resources(level2, NULL, 0, OTHERS_DATA);
	map_globals(level2, NULL, UINT64_MAX, OTHERS_DATA);
	map_iocs(level2, NULL, PLF_TASKS, OTHERS_DATA);
	map_applications(level2, NULL, PLF_TASKS, OTHERS_DATA);
	map_words(level2, core);
	map_own_words(level2, NULL, OTHERS_DATA);
	for (unsigned each = 0; each < PLF_CPUS; each++) {
		uintptr_t guard = (uintptr_t)plf_port_cores[each].guard;

		map(level2, NULL, guard, guard + PLF_KERNEL_GUARD, 0);
	}
}

static uint64_t devices(void)
{
	enum { GIC = 0x08000000 };
	uint64_t *level2 = new_table();

	level2[GIC >> WINDOW_SHIFT] = GIC | DEVICE;
	if (PLF_CONSOLE)
		level2[PLF_SERIAL >> WINDOW_SHIFT] = PLF_SERIAL | DEVICE;
	return (uintptr_t)level2 | TABLE;
}

static void make_task_tables(const struct level1 *of_core, unsigned index)
{
	const uint64_t *shared = next_level(of_core->entry[1]);
	uint64_t *own = copy_of(shared);

	map_private(own, shared, index, OWN_DATA);
	if (plf_task_config[index].resources)
		map_resources(own, shared, index, OWN_DATA);
	if (PLF_GLOBAL_IN_USER_MODE)
		map_globals(own, shared, plf_task_config[index].resources >> PLF_RESOURCES,
			    OWN_DATA);
	map_iocs(own, shared, index, OWN_DATA);
	map_applications(own, shared, index, OWN_DATA);
	map_own_words(own, shared, OWN_DATA);
	task_tables[index].entry[0] = of_core->entry[0];
	task_tables[index].entry[1] = (uintptr_t)own | TABLE;
}

/*
 * The tables of a task in another application: that application's memory, and a stack that no other
 * tables map.
 */
static void make_callee_tables(const struct level1 *of_core, unsigned index)
{
	const struct plf_domain_config *domain = &plf_domain_config[index];
	struct level1 *tables = &callee_tables[index - PLF_TASKS];
	const uint64_t *shared = next_level(of_core->entry[1]);
	uint64_t *own = copy_of(shared);

	map(own, shared, domain->stack_low, domain->stack_high, OWN_DATA);
	map(own, shared, plf_application_memory[domain->application].data,
	    plf_application_memory[domain->application].data_end, OWN_DATA);
	tables->entry[0] = of_core->entry[0];
	tables->entry[1] = (uintptr_t)own | TABLE;
}

void plf_memory_prepare(void)
{
	uint64_t of_devices = devices();

	for (unsigned core = 0; core < PLF_CPUS; core++) {
		uint64_t *shared = new_table();

		map_shared(shared, core);
		start_tables[core].entry[0] = of_devices;
		start_tables[core].entry[1] = (uintptr_t)shared | TABLE;
	}
	for (unsigned index = 0; index < PLF_TASKS; index++)
		make_task_tables(&start_tables[plf_task_config[index].core], index);
	for (unsigned index = PLF_TASKS; index < PLF_DOMAINS; index++)
		make_callee_tables(&start_tables[0], index);
}

/* SCTLR_EL1 and TCR_EL1 of the Cortex-A53: DDI 0500, 4.3. */
void plf_memory_start(unsigned core)
{
	enum {
		MMU = 1 << 0,
		DATA_CACHE = 1 << 2,
		CHECK_SP = 1 << 3,
		CHECK_USER_SP = 1 << 4,
		USER_MASKS = 1 << 9, /* UMA; UCT, DZE and UCI stay off, nTWI too */
		INSTRUCTION_CACHE = 1 << 12,
		USER_WFE = 1 << 18,
		WXN = 1 << 19,
		ONES = 1 << 29 | 1 << 28 | 1 << 23 | 1 << 22 | 1 << 20 | 1 << 11,
	};
	enum {
		ADDRESSES_2_GIB = 33 << 0,
		WALKS_CACHED = 1 << 8 | 1 << 10,
		WALKS_SHAREABLE = 3 << 12,
		NO_UPPER_HALF = 1 << 23,
	};
	uint64_t sctlr = MMU | DATA_CACHE | CHECK_SP | CHECK_USER_SP | INSTRUCTION_CACHE |
			 USER_WFE | WXN | ONES | (PLF_USER_MASKS_INTERRUPTS ? USER_MASKS : 0);

	PLF_WRITE("mair_el1", 0x00ff); /* 0: write-back; 1: device, nGnRnE */
	PLF_WRITE("tcr_el1", ADDRESSES_2_GIB | WALKS_CACHED | WALKS_SHAREABLE | NO_UPPER_HALF);
	PLF_WRITE("ttbr0_el1", (uintptr_t)&start_tables[core]);
	plf_dsb();
	__asm__ volatile("tlbi vmalle1\n\tic iallu" ::: "memory");
	plf_dsb();
	plf_isb();
	PLF_WRITE("sctlr_el1", sctlr);
	plf_isb();
}

enum { ASID_SHIFT = 48 };

uint64_t plf_memory_of_task(unsigned index)
{
	return (uintptr_t)&task_tables[index] | (uint64_t)(index + 1) << ASID_SHIFT;
}

uint64_t plf_memory_of_domain(unsigned index)
{
	if (index < PLF_TASKS)
		return plf_memory_of_task(index);
	return (uintptr_t)&callee_tables[index - PLF_TASKS] | ((uint64_t)index + 1) << ASID_SHIFT;
}

/* Whether the last address translation (AT) of user mode succeeded. */
static bool is_translated(void)
{
	enum { FAILED = 1 };

	plf_isb();
	return !(PLF_READ("par_el1") & FAILED);
}

static bool user_may_write_page(uintptr_t address)
{
	__asm__ volatile("at s1e0w, %0" ::"r"(address) : "memory");
	return is_translated();
}

static bool user_may_read_page(uintptr_t address)
{
	__asm__ volatile("at s1e0r, %0" ::"r"(address) : "memory");
	return is_translated();
}

bool plf_memory_user_may_write(uintptr_t address, uintptr_t size)
{
	uintptr_t last = address + size - 1;

	if (size == 0 || last < address)
		return false;
	for (uintptr_t page = address & ~(uintptr_t)(PAGE - 1); page <= last; page += PAGE)
		if (!user_may_write_page(page))
			return false;
	return true;
}

/*
 * At most a page, so all bytes are in the pages of the first and the last byte. If they wrap
 * around, they begin in memory that is not mapped.
 */
bool plf_memory_user_may_read(uintptr_t address, uintptr_t size)
{
	return user_may_read_page(address) && user_may_read_page(address + size - 1);
}

/* The access to a page, with the tables in force. */
static unsigned access_to_page(uintptr_t page)
{
	return (user_may_read_page(page) ? PLF_IS_READABLE : 0u) |
	       (user_may_write_page(page) ? PLF_IS_WRITEABLE : 0u);
}

static unsigned access_to_pages(uintptr_t address, uintptr_t last)
{
	unsigned access = PLF_IS_READABLE | PLF_IS_WRITEABLE;

	for (uintptr_t page = address & ~(uintptr_t)(PAGE - 1); access && page <= last;
	     page += PAGE)
		access &= access_to_page(page);
	return access;
}

static void put_in_force(uint64_t tables)
{
	PLF_WRITE("ttbr0_el1", tables);
	plf_isb();
}

/*
 * Put the tables of the task in force meanwhile. The kernel's memory is the same in all tables. No
 * instruction tests whether code may be executed, but all tasks may execute the same code.
 */
unsigned plf_memory_access_of(unsigned index, uintptr_t address, uintptr_t size)
{
	uintptr_t last = address + (size - 1);
	uint64_t before = PLF_READ("ttbr0_el1");
	bool is_code = address >= (uintptr_t)plf_shared_text && last < (uintptr_t)plf_user_text_end;
	unsigned access;

	put_in_force(plf_memory_of_task(index));
	access = access_to_pages(address, last);
	put_in_force(before);
	return access | (is_code ? PLF_IS_EXECUTABLE : 0u);
}
