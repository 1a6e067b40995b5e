/* SPDX-License-Identifier: MIT */
#include "check.h"

/* Here the services change nothing: the task's own counts are as they were. */
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
