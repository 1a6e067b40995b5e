/* SPDX-License-Identifier: MIT */
/*
 * Further attempts of a task of a mixed file. The kernel executes code of that file, too, and its
 * services check the mode. A task cannot run the kernel's code, whatever it pretends.
 */
#include "foul_faults.h"

extern char plf_kernel_data[];
struct plf_result plf_trusted_call(uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t number);
_Noreturn void plf_port_end(StatusType status);
ProtectionReturnType ProtectionHook(StatusType status);

/* Use a stack of the kernel, as if the kernel called the service. */
static void pretend(void)
{
	__asm__ volatile(
		"mov sp, %0\n\tmov x3, xzr\n\tbl plf_mixed_call" ::"r"(plf_kernel_data + 4096)
		: "x3", "x30", "memory");
}

static void call_as_handler(void)
{
	(void)plf_trusted_call(VICTIM, 0, 0, PLF_CALL_ACTIVATE_TASK);
}

static void end_system(void)
{
	plf_port_end(E_OK);
}

/* Overwrite code that the kernel will execute next. */
static void store_hook(void)
{
	*(volatile char *)wild((const void *)ProtectionHook) = 0;
}

static void store_door(void)
{
	*(volatile char *)wild((const void *)plf_mixed_call) = 0;
}

/* clang-format off */
#define MEMORY(name) { #name, name, E_OS_PROTECTION_MEMORY }
/* clang-format on */

const struct attempt other_attempts[] = {
	MEMORY(pretend),    MEMORY(call_as_handler), MEMORY(end_system),
	MEMORY(store_hook), MEMORY(store_door),	     { NULL, NULL, E_OK },
};
