/* SPDX-License-Identifier: MIT */
#ifndef PLF_CONSOLE_H
#define PLF_CONSOLE_H

/* The board's console, and the exit of the machine. Both work from the first instruction on. */
#include <stddef.h>
#include <stdint.h>

enum { PLF_EXIT_TRAP = 100 };

void plf_console_write(const char *text, size_t size);
void plf_console_text(const char *text);
void plf_console_hex(uint64_t value);

/* Switch the machine off, with this exit code. */
_Noreturn void plf_console_exit(unsigned code);

/* Print the text, and exit with PLF_EXIT_TRAP. */
_Noreturn void plf_console_fail(const char *text);

#endif
