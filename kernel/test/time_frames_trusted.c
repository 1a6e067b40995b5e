/* SPDX-License-Identifier: MIT */
#include "check.h"

/* The status is the caller's alone: an arrival that was ignored is no error of the service. */
ISR(COMES)
{
	EXPECT(ActivateTask(PACED), E_OK);
	mark('i');
}
