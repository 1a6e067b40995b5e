/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

/* In a single write, so that a line is not mixed with other programs' lines. */
static void say(const char *format, va_list arguments)
{
	char line[LINE_BYTES];

	vsnprintf(line, sizeof(line), format, arguments);
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
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

int end_stdout(void)
{
	if (fflush(stdout) != 0)
		return fail("cannot write to stdout: %s", strerror(errno));
	return ferror(stdout) ? fail("cannot write to stdout") : RAN;
}
