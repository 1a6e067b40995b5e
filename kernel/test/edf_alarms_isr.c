/* SPDX-License-Identifier: MIT */
#include "check.h"

/* The interrupt arrives when it is let through. */
ISR(COMES)
{
	(void)ActivateTask(A);
}
