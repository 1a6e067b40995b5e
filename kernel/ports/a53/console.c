/* SPDX-License-Identifier: MIT */
/*
 * Arm semihosting: QEMU itself writes the text to its standard output, thousands of characters in
 * the time that a UART takes for a single character. User mode has no semihosting, because HLT is a
 * fault there.
 */
#include "console.h"

#include <stdbool.h>

enum { SYS_OPEN = 0x01, SYS_WRITE = 0x05, SYS_EXIT_EXTENDED = 0x20 };

static uint64_t ask_host(uint64_t operation, const uint64_t *parameters)
{
	register uint64_t x0 __asm__("x0") = operation;
	register const uint64_t *x1 __asm__("x1") = parameters;

	__asm__ volatile("hlt #0xf000" : "+r"(x0) : "r"(x1) : "memory");
	return x0;
}

/* The host's standard output: a handle of its file, opened for writing. */
static uint64_t output(void)
{
	enum { FOR_WRITING = 4 };
	static const char name[] = ":tt";
	static uint64_t handle;
	static bool is_open;

	if (!is_open) {
		const uint64_t parameters[] = { (uintptr_t)name, FOR_WRITING, sizeof(name) - 1 };

		handle = ask_host(SYS_OPEN, parameters);
		is_open = true;
	}
	return handle;
}

void plf_console_write(const char *text, size_t size)
{
	const uint64_t parameters[] = { output(), (uintptr_t)text, size };

	ask_host(SYS_WRITE, parameters);
}

void plf_console_text(const char *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	plf_console_write(text, size);
}

void plf_console_hex(uint64_t value)
{
	char text[] = "0x0000000000000000";

	for (size_t digit = sizeof(text) - 2; value; digit--, value >>= 4)
		text[digit] = "0123456789abcdef"[value & 0xf];
	plf_console_text(text);
}

_Noreturn void plf_console_exit(unsigned code)
{
	enum { STOPPED_APPLICATION_EXIT = 0x20026 };
	const uint64_t parameters[] = { STOPPED_APPLICATION_EXIT, code };

	ask_host(SYS_EXIT_EXTENDED, parameters);
	for (;;)
		__asm__ volatile("wfi");
}

_Noreturn void plf_console_fail(const char *text)
{
	plf_console_text("plafond: ");
	plf_console_text(text);
	plf_console_text("\n");
	plf_console_exit(PLF_EXIT_TRAP);
}
