/* SPDX-License-Identifier: MIT */
/*
 * WriteConsole() calls that are refused on every board and in every status. misuse_console.out has
 * all that the image writes.
 */
#include "check.h"
#include "os_console.h"

#define WRITE_REFUSED(text, size, status)                                                          \
	REFUSED(WriteConsole(text, size), status, PLF_CALL_WRITE_CONSOLE)

TASK(MAIN)
{
	static const char text[PLF_CONSOLE_MOST + 1] = "refused\n";
	char most[PLF_CONSOLE_MOST];

	for (unsigned i = 0; i < PLF_CONSOLE_MOST; i++)
		most[i] = (char)((i + 1) % 64 ? '0' + i / 64 : '\n');
	ALLOWED(WriteConsole("a line\n", 7));
	ALLOWED(WriteConsole(text, 0));
	ALLOWED(WriteConsole(most, sizeof(most)));
	WRITE_REFUSED(text, PLF_CONSOLE_MOST + 1, E_OS_VALUE);
	WRITE_REFUSED(text, SIZE_MAX, E_OS_VALUE);
	WRITE_REFUSED(text, SIZE_MAX - (uintptr_t)text + 2, E_OS_VALUE); /* up to its begin */
	WRITE_REFUSED(NULL, 0, E_OS_PARAM_POINTER);
	WRITE_REFUSED(NULL, 1, E_OS_PARAM_POINTER);
	if (PLF_EXTENDED_STATUS) {
		DisableAllInterrupts();
		WRITE_REFUSED(text, 7, E_OS_DISABLEDINT);
		EnableAllInterrupts();
	}
	ALLOWED(WriteConsole("", 1)); /* a zero is a byte, too */
	ALLOWED(WriteConsole("the end\n", 8));
	ShutdownOS(E_OK);
}
