/* SPDX-License-Identifier: MIT */
/*
 * Memory that does not belong to the task, or does not exist, and code that the task may not
 * execute.
 */
#include "foul_faults.h"

#define LOAD(name, address)                                                                        \
	static void name(void)                                                                     \
	{                                                                                          \
		(void)*(volatile char *)wild(address);                                             \
	}
#define STORE(name, address)                                                                       \
	static void name(void)                                                                     \
	{                                                                                          \
		*(volatile char *)wild(address) = 0x2a;                                            \
	}
#define JUMP(name, address)                                                                        \
	static void name(void)                                                                     \
	{                                                                                          \
		((void (*)(void))(uintptr_t)wild(address))();                                      \
	}
#define AT(number) ((const void *)(uintptr_t)(number))

static const uint32_t constant = 0xd65f03c0; /* RET */
static uint32_t variable = 0xd65f03c0;

/* Writable memory next to the guard page of its stack. */
static volatile char own TASK_DATA(FOUL);

LOAD(load_kernel_data, plf_tasks)
STORE(store_kernel_data, plf_tasks)
STORE(store_core, plf_cores)
LOAD(load_kernel_const, plf_isr_config)
LOAD(load_kernel_text, (const void *)plf_system_call)
STORE(store_kernel_text, (const void *)plf_system_call)
JUMP(jump_kernel, (const void *)plf_system_call)
LOAD(load_tables, plf_tables)
STORE(store_tables, plf_tables)
STORE(store_own_text, (const void *)jump_kernel)
STORE(store_constant, &constant)
LOAD(load_private, &secret)
STORE(store_private, &secret)
LOAD(load_stack, wild(plf_stack_high_VICTIM) - 16)
STORE(store_stack, wild(plf_stack_high_VICTIM) - 16)
STORE(store_guard, wild(plf_stack_low_FOUL) - 1)
STORE(store_other_guard, wild(plf_stack_low_VICTIM) - 1)
LOAD(load_uart, AT(0x09000000))
STORE(store_uart, AT(0x09000000))
LOAD(load_gic, AT(0x08000000))
STORE(store_gic, AT(0x080a0000))
LOAD(load_null, AT(0))
STORE(store_null, AT(0))
JUMP(jump_null, AT(0))
LOAD(load_before_ram, AT(0x3fffffff))
LOAD(load_after_ram, AT(0x48000000))
LOAD(load_high, AT(UINT64_C(0xffff000000000000)))
LOAD(load_last, AT(UINTPTR_MAX))
LOAD(load_above, AT(UINT64_C(0x100000000)))
LOAD(load_tagged, AT(UINT64_C(0x5a00000040100000)))
JUMP(jump_data, &variable)
JUMP(jump_constant, &constant)
JUMP(jump_odd, (const char *)(uintptr_t)load_null + 2)
JUMP(jump_device, AT(0x09000000))

static void jump_stack(void)
{
	volatile uint32_t code[4] = { constant, constant, constant, constant };

	((void (*)(void))(uintptr_t)wild(code))();
}

/* A task may not execute memory that it may write. */
static void jump_own(void)
{
	own = 0;
	((void (*)(void))(uintptr_t)wild(&own))();
}

static uint64_t recurse(uint64_t depth)
{
	static uint64_t (*volatile again)(uint64_t depth) = recurse;
	volatile uint64_t room[64];

	room[depth % 64] = depth;
	return again(depth + 1) + room[depth % 64];
}

static void overflow(void)
{
	(void)recurse(0);
}

static void borrow_stack(void)
{
	__asm__ volatile("mov sp, %0\n\tstp xzr, xzr, [sp, #-16]!" ::"r"(plf_stack_high_VICTIM)
			 : "memory");
}

/* The kernel does not use the task's stack, so a call with a wild stack pointer works. */
static void call_without_stack(void)
{
	__asm__ volatile("mov x4, #0\n\tmov sp, x4\n\tsvc #0\n\tstr xzr, [sp, #-16]!" ::
				 : "x4", "memory"); /* no C code may follow */
}

/* clang-format off */
#define MEMORY(name)	{ #name, name, E_OS_PROTECTION_MEMORY }
#define EXCEPTION(name) { #name, name, E_OS_PROTECTION_EXCEPTION }
/* clang-format on */

const struct attempt memory_attempts[] = {
	MEMORY(load_kernel_data),  MEMORY(store_kernel_data), MEMORY(store_core),
	MEMORY(load_kernel_const), MEMORY(load_kernel_text),  MEMORY(store_kernel_text),
	MEMORY(jump_kernel),	   MEMORY(load_tables),	      MEMORY(store_tables),
	MEMORY(store_own_text),	   MEMORY(store_constant),    MEMORY(load_private),
	MEMORY(store_private),	   MEMORY(load_stack),	      MEMORY(store_stack),
	MEMORY(store_guard),	   MEMORY(store_other_guard), MEMORY(load_uart),
	MEMORY(store_uart),	   MEMORY(load_gic),	      MEMORY(store_gic),
	MEMORY(load_null),	   MEMORY(store_null),	      MEMORY(jump_null),
	MEMORY(load_before_ram),   MEMORY(load_after_ram),    MEMORY(load_high),
	MEMORY(load_last),	   MEMORY(load_above),	      MEMORY(load_tagged),
	MEMORY(jump_data),	   MEMORY(jump_constant),     EXCEPTION(jump_odd),
	MEMORY(jump_device),	   MEMORY(jump_stack),	      MEMORY(jump_own),
	MEMORY(overflow),	   MEMORY(borrow_stack),      MEMORY(call_without_stack),
	{ NULL, NULL, E_OK },
};
