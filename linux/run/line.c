/* SPDX-License-Identifier: MIT */
#include "line.h"

#include <stdarg.h>
#include <stdio.h>

bool write_line(struct line *line, const char *format, ...)
{
	va_list arguments;

	if (atomic_exchange(&line->taken, true))
		return false;
	va_start(arguments, format);
	vsnprintf(line->text, sizeof(line->text), format, arguments);
	va_end(arguments);
	return true;
}
