/* SPDX-License-Identifier: MIT */
/*
 * Stack monitoring (AUTOSAR, SWS_Os_00067 and 00396). A failed access is E_OS_STACKFAULT if it is
 * in the page below the task's stack, or if the stack pointer is outside the stack. All other
 * faults are as without monitoring.
 */
#include "stack_fault.h"

volatile StatusType fault;

/* From system.c: the bounds of the stacks. */
extern char plf_stack_low_FOUL[], plf_stack_high_FOUL[];
extern char plf_stack_low_OTHER[], plf_stack_high_OTHER[];

static unsigned attempt; /* next attempt of FOUL */

/* An address at this distance, which the compiler cannot trace. */
static volatile char *wild(const char *from, int64_t offset)
{
	uintptr_t address = (uintptr_t)from;

	__asm__("" : "+r"(address));
	return (volatile char *)(address + (uintptr_t)offset);
}

static __attribute__((noinline)) uint64_t recurse(uint64_t depth)
{
	volatile uint64_t room[64];
	uint64_t (*volatile again)(uint64_t) = recurse;

	room[depth % 64] = depth;
	return again(depth + 1) + room[depth % 64];
}

static void overflow(void)
{
	(void)recurse(0);
}

static void store_below(void)
{
	*wild(plf_stack_low_FOUL, -1) = 0;
}

static void load_lowest(void)
{
	(void)*wild(plf_stack_low_FOUL, -4096);
}

static void store_below_other(void)
{
	*wild(plf_stack_low_OTHER, -1) = 0;
}

static void store_null(void)
{
	*wild(NULL, 0) = 0;
}

static void load_beyond(void)
{
	(void)*wild(plf_stack_high_OTHER, -16);
}

/* The page before the guard page belongs neither to the stack nor to the task. */
static void load_before(void)
{
	(void)*wild(plf_stack_low_FOUL, -4097);
}

static void jump_below(void)
{
	((void (*)(void))(uintptr_t)wild(plf_stack_low_FOUL, -4096))();
}

/* Access address 0 with this stack pointer. The access fails. */
static void store_null_with(const volatile char *stack)
{
	__asm__ volatile("mov sp, %0\n\tstr xzr, [%1]" ::"r"(stack), "r"(NULL) : "memory");
}

static void large_frame(void)
{
	store_null_with(wild(plf_stack_low_FOUL, -65536));
}

static void just_below(void)
{
	store_null_with(wild(plf_stack_low_FOUL, -16));
}

static void lowest(void)
{
	store_null_with(wild(plf_stack_low_FOUL, 0));
}

static void highest(void)
{
	store_null_with(wild(plf_stack_high_FOUL, 0));
}

static void just_above(void)
{
	store_null_with(wild(plf_stack_high_FOUL, 16));
}

static void no_stack(void)
{
	store_null_with(wild(NULL, 0));
}

static void other_stack(void)
{
	store_null_with(wild(plf_stack_high_OTHER, 0));
}

/* No access to memory: an instruction that tasks must not execute. */
static void privileged(void)
{
	__asm__ volatile("mov sp, %0\n\tmsr daifset, #2" ::"r"(wild(plf_stack_low_FOUL, -16)));
}

static const struct {
	void (*run)(void);
	StatusType fault;
} attempts[] = {
	{ overflow, E_OS_STACKFAULT },
	{ store_below, E_OS_STACKFAULT },
	{ load_lowest, E_OS_STACKFAULT },
	{ load_before, E_OS_PROTECTION_MEMORY },
	{ store_below_other, E_OS_PROTECTION_MEMORY },
	{ store_null, E_OS_PROTECTION_MEMORY },
	{ load_beyond, E_OS_PROTECTION_MEMORY },
	{ jump_below, E_OS_PROTECTION_MEMORY },
	{ large_frame, E_OS_STACKFAULT },
	{ just_below, E_OS_STACKFAULT },
	{ lowest, E_OS_PROTECTION_MEMORY },
	{ highest, E_OS_PROTECTION_MEMORY },
	{ just_above, E_OS_STACKFAULT },
	{ no_stack, E_OS_STACKFAULT },
	{ other_stack, E_OS_STACKFAULT },
	{ privileged, E_OS_PROTECTION_EXCEPTION },
};

TASK(FOUL)
{
	attempts[attempt].run();
	CHECK(false);
}

TASK(OTHER)
{
	TerminateTask();
}

TASK(MAIN)
{
	for (; attempt < sizeof(attempts) / sizeof(attempts[0]); attempt++) {
		fault = E_OK;
		EXPECT(ActivateTask(FOUL), E_OK);
		EXPECT(fault, attempts[attempt].fault);
	}
	ShutdownOS(E_OK);
}
