/* SPDX-License-Identifier: MIT */
#include "check.h"

/* An application that has an interrupt is not terminated, and this is not called. */
ISR(COMES)
{
	CHECK(false);
}
