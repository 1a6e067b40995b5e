/* SPDX-License-Identifier: MIT */
#include "check.h"

/* In the routine these services do not change the counts of the task. */
ISR(COMES)
{
	SuspendAllInterrupts();
	SuspendOSInterrupts();
	DisableAllInterrupts();
	mark('i');
	EnableAllInterrupts();
	ResumeOSInterrupts();
	ResumeOSInterrupts();
	ResumeAllInterrupts();
}
