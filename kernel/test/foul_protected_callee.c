/* SPDX-License-Identifier: MIT */
#include "foul.h"
#include "foul_protected.h"

#include "plf_find.h"

extern char plf_kernel_text[];
static uint64_t tried, total; /* belong to BROKEN */

static __attribute__((noinline)) uint64_t recurse(uint64_t depth)
{
	volatile uint64_t room[64];
	uint64_t (*volatile again)(uint64_t) = recurse;

	room[depth % 64] = depth;
	return again(depth + 1) + room[depth % 64];
}

static void store(uintptr_t address)
{
	*(volatile char *)wild((char *)address) = 0;
}

static void load(uintptr_t address)
{
	(void)*(volatile char *)wild((char *)address);
}

/* Push with this stack pointer. */
static void push_at(uintptr_t stack)
{
	__asm__ volatile("mov sp, %0\n\tstr x0, [sp, #-16]!" ::"r"(stack) : "memory");
}

uint64_t FUNCTION_TRY(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	(void)b, (void)c, (void)d;
	tried++;
	switch ((enum attempt)a) {
	case STORES_TO_CALLER:
		store(shared.of_caller);
		break;
	case LOADS_FROM_TASK:
		load(shared.of_task);
		break;
	case STORES_TO_STACK:
		store(shared.on_stack);
		break;
	case STORES_TO_WORDS:
		store((uintptr_t)plf_find_page());
		break;
	case LOADS_FROM_KERNEL:
		load((uintptr_t)plf_tasks);
		break;
	case JUMPS_TO_KERNEL:
		((void (*)(void))(uintptr_t)wild(plf_kernel_text))();
		break;
	case STORES_TO_CODE:
		store((uintptr_t)FUNCTION_TRY);
		break;
	case OVERFLOWS:
		(void)recurse(0);
		break;
	case LOSES_STACK:
		push_at(0);
		break;
	case TAKES_CALLERS_STACK:
		push_at(shared.on_stack & ~UINT64_C(15));
		break;
	case ENTERS_KERNELS_MODE:
		__asm__ volatile("msr daifset, #2");
		break;
	case LOCKS_LAZILY:
		(void)*(volatile uint32_t *)wild(&plf_find_page()->words);
		break;
	case SUCCEEDS:
		return ANSWER;
	}
	return 0; /* reached only without a fault */
}

/*
 * SEE notes all registers at its begin. SPOIL changes all registers, its stack pointer and its
 * flags, and then returns. CRASH does the same, and then makes a fault.
 */
__asm__("	.text\n" KEEP_ALL "	.globl	FUNCTION_SEE\n"
	"FUNCTION_SEE:\n"
	"	keep_all \"adrp x0, shared\", \"add x0, x0, :lo12:shared\", \"add x0, x0, #24\"\n"
	"	mov	x0, #0x5ee\n"
	"	ret\n"
	"	.globl	FUNCTION_SPOIL\n"
	"FUNCTION_SPOIL:\n"
	"	pattern	0x3000, 0, 30\n"
	"	mov	sp, x9\n"
	"	msr	tpidr_el0, x10\n"
	"	mov	x11, #0xf0000000\n"
	"	msr	nzcv, x11\n"
	"	adrp	x4, number_of_return\n"
	"	ldr	x4, [x4, :lo12:number_of_return]\n"
	"	svc	#0\n"
	"1:	b	1b\n"
	"	.globl	FUNCTION_CRASH\n"
	"FUNCTION_CRASH:\n"
	"	pattern	0x3000, 0, 30\n"
	"	msr	tpidr_el0, x10\n"
	"	msr	nzcv, x11\n"
	"	str	x0, [x12]\n"
	"2:	b	2b\n");

_Static_assert(offsetof(struct shared, seen) == 24, "in FUNCTION_SEE");
const uint64_t number_of_return = PLF_CALLS;

/* Takes long enough to be interrupted. Its sum depends only on the parameters of the call. */
uint64_t FUNCTION_SUM(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	total++;
	return a + 2 * b + 3 * c + 4 * d;
}
