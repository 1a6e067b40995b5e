/* SPDX-License-Identifier: MIT */
#include "protected.h"

static uint64_t stored;

uint64_t FUNCTION_KEEP(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	mark('[');
	EXPECT(GetApplicationID(), CONTROL);
	EXPECT(GetCurrentApplicationID(), STORE);
	REFUSED(TerminateTask(), E_OS_CALLEVEL, OSServiceId_TerminateTask);
	stored = a;
	mark(']');
	return a + b + c + d;
}

uint64_t FUNCTION_LOAD(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	(void)a, (void)b, (void)c, (void)d;
	return stored;
}
