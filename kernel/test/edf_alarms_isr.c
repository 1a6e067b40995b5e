/* SPDX-License-Identifier: MIT */
#include "check.h"

/* It comes when it is let through: its arrival is then. */
ISR(COMES)
{
	(void)ActivateTask(A);
}
