/* SPDX-License-Identifier: MIT */
#include "foul_protected.h"

static uint64_t passed;

/* This function gets the status of the fault, and its caller gets its value. */
uint64_t FUNCTION_PASS(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint64_t value = 0;
	StatusType status = Call_TRY(a, b, c, d, &value);

	passed++;
	EXPECT(GetCurrentApplicationID(), BETWEEN);
	return status == E_OK ? value : 100 * passed + status;
}
