/* SPDX-License-Identifier: MIT */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>

enum { LINE_BYTES = 1024 };

/* In one write, so that a line stays whole beside those of others. */
static void say(const char *format, va_list arguments)
{
	char line[LINE_BYTES];

	vsnprintf(line, sizeof(line), format, arguments);
	fprintf(stderr, "plafond-run: %s\n", line);
}

int refuse(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	return REFUSED;
}

int fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
	return FAILED;
}
