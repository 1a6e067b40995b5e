/* SPDX-License-Identifier: MIT */
/*
 * The registers of the board a53 that control tables and user mode, and the order in which the
 * start turns translation on. Stale entries of the TLB and the instruction cache must go first (Arm
 * ARM, D8.14, B2.4). QEMU cannot show that, because it has no stale entries.
 */
#include "tables.h"

#include "check.h"
#include "core.h"
#include "memory.h"
#include "registers.h"

#define BIT(n) (UINT64_C(1) << (n))

/* Values for the Cortex-A53: DDI 0500, 4.3. */
static void check_values(void)
{
	const uint64_t on = BIT(0) | BIT(2) | BIT(12);	   /* MMU, both caches */
	const uint64_t checks = BIT(3) | BIT(4) | BIT(19); /* SP of both modes, WXN */
	const uint64_t ones = BIT(29) | BIT(28) | BIT(23) | BIT(22) | BIT(20) | BIT(11);

	EXPECT(PLF_READ("sctlr_el1"), on | checks | ones | BIT(18) /* WFE */);
	EXPECT(PLF_READ("mair_el1"), 0x00ff); /* write-back; device nGnRnE */
	/* 31 bits of address, walks through the caches, nothing in the upper half, 8 bits of ASID
	 */
	EXPECT(PLF_READ("tcr_el1"), 33 | 1 << 8 | 1 << 10 | 3 << 12 | BIT(23));
	EXPECT(PLF_READ("cpacr_el1"), 0);
	EXPECT(PLF_READ("mdscr_el1"), BIT(12));
	EXPECT(PLF_READ("cntkctl_el1") & 0x3ff, BIT(1));
	EXPECT(PLF_READ("pmuserenr_el0"), BIT(2));
}

/*
 * The instructions of the start, as the processor reads them. For MSR all but the register counts.
 */
static const struct {
	uint32_t instruction, mask;
	char letter;
} steps[] = {
	{ 0xd518a200, 0xffffffe0, 'm' }, /* msr mair_el1 */
	{ 0xd5182040, 0xffffffe0, 't' }, /* msr tcr_el1 */
	{ 0xd5182000, 0xffffffe0, 'b' }, /* msr ttbr0_el1 */
	{ 0xd5033f9f, 0xffffffff, 'd' }, /* dsb sy */
	{ 0xd508871f, 0xffffffff, 'v' }, /* tlbi vmalle1 */
	{ 0xd508751f, 0xffffffff, 'i' }, /* ic iallu */
	{ 0xd5033fdf, 0xffffffff, 's' }, /* isb */
	{ 0xd5181000, 0xffffffe0, 'c' }, /* msr sctlr_el1 */
};

static char letter_of(uint32_t instruction)
{
	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if ((instruction & steps[i].mask) == steps[i].instruction)
			return steps[i].letter;
	return 0;
}

static void check_order(void)
{
	enum { LONGEST = 4096 }; /* instructions of the function that are searched */
	const volatile uint32_t *at = (const volatile uint32_t *)(uintptr_t)plf_memory_start;
	bool is_on = false;

	for (unsigned i = 0; i < LONGEST; i++) {
		char letter = letter_of(at[i]);

		if (letter)
			mark(letter);
		if (is_on && letter)
			break;
		is_on = is_on || letter == 'c';
	}
	EXPECT_TRAIL("mtbdvidscs");
}

void check_registers(void)
{
	test.marks = 0;
	check_order();
	check_values();
}

void StartupHook(void)
{
	if (GetCoreID() != 0) /* core 0 checks the tables of all */
		return;
	check_registers();
	check_tables();
	test.marks = 0;
}

void ErrorHook(StatusType status)
{
	EXPECT(status, E_OS_ID);
	check_table_of(plf_this_core()->running->index);
}
