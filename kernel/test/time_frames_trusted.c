/* SPDX-License-Identifier: MIT */
#include "check.h"

/* The status is for the caller: an ignored arrival is no error of the service. */
ISR(COMES)
{
	EXPECT(ActivateTask(PACED), E_OK);
	mark('i');
}
