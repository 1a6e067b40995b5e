/* SPDX-License-Identifier: MIT */
#include "errors.h"
#include "protected.h"

void ErrorHook(StatusType status)
{
	uint64_t value;

	if (found.calls) {
		found.calls = false;
		found.in_hook = Call_READ(0, 0, 0, 0, &value);
	}
	found.caller = GetApplicationID();
	found.current = GetCurrentApplicationID();
	if (OSErrorGetServiceId() == OSServiceId_CallNonTrustedFunction)
		found.function = OSError_CallNonTrustedFunction_FunctionIndex();
	note_error(status);
}

/* Runs before the first instruction of MAIN, which is not the first task. */
void PreTaskHook(void)
{
	static bool has_begun;

	if (!has_begun)
		EXPECT(GetCurrentApplicationID(), CONTROL);
	has_begun = true;
}

ISR(COMES)
{
	uint64_t value;

	mark('i');
	found.in_handler = Call_READ(0, 0, 0, 0, &value);
	EXPECT(test.error, E_OS_CALLEVEL);
	EXPECT(GetCurrentApplicationID(), DRIVER);
	test.errors = 0;
	ALLOWED(ActivateTask(HIGH));
}
